import Geodesy

/// Turns records into the lines of a capture; the first line it makes is preceded by the format's own.
package struct CaptureWriter: Sendable {
  private var hasBegun = false
  private var latest = Duration.zero

  /// A writer at the beginning of a file.
  package init() {}

  /// The lines of `record`. What is written can always be read: an arrival before the last one written becomes that one,
  /// a source or speed out of range its nearest bound, a device's string what fits of it, and a payload beyond
  /// `CaptureFormat.maximumPayload` several lines of one time.
  package mutating func encode(_ record: CaptureRecord) -> [UInt8] {
    var lines = beginning()
    latest = max(latest, min(record.arrival, CaptureFormat.latestArrival))
    switch record.event {
    case .start(let time):
      lines += head(of: record) + Array(" \(UTCText.string(of: time))\n".utf8)
    case .device(let device):
      lines += head(of: record)
      Self.append(device, to: &lines)
      lines.append(UInt8(ascii: "\n"))
    case .speed(let baud):
      lines += head(of: record) + Array(" \(Self.inRange(baud: baud))\n".utf8)
    case .bytes(let payload), .scan(let payload):
      var rest = payload[...]
      repeat {
        lines += head(of: record)
        if !rest.isEmpty { lines.append(UInt8(ascii: " ")) }
        CaptureEscape.append(rest.prefix(CaptureFormat.maximumPayload), to: &lines)
        lines.append(UInt8(ascii: "\n"))
        rest = rest.dropFirst(CaptureFormat.maximumPayload)
      } while !rest.isEmpty
    case .gone:
      lines += head(of: record) + [UInt8(ascii: "\n")]
    }
    return lines
  }

  /// `text` as comment lines.
  package mutating func comment(_ text: String) -> [UInt8] {
    var lines = beginning()
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      lines.append(UInt8(ascii: "#"))
      if !line.isEmpty { lines.append(UInt8(ascii: " ")) }
      lines += line.prefix(CaptureFormat.maximumPayload).map { $0 < 0x20 ? UInt8(ascii: " ") : $0 }
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }

  private mutating func beginning() -> [UInt8] {
    guard !hasBegun else { return [] }
    hasBegun = true
    return CaptureFormat.magic + Array("\(CaptureFormat.version)\n".utf8)
  }

  private func head(of record: CaptureRecord) -> [UInt8] {
    let source = min(max(record.source, 0), CaptureFormat.highestSource)
    return Array("\(latest.wholeNanoseconds / 1000) \(record.event.kind.rawValue) \(source)".utf8)
  }

  private static func inRange(baud: Int) -> Int { min(max(baud, 1), CaptureFormat.highestBaud) }

  private static func append(_ device: CapturedDevice, to line: inout [UInt8]) {
    func append(_ key: DeviceKey, _ value: String?) {
      guard let value else { return }
      line += Array(" \(key.rawValue)=".utf8)
      CaptureEscape.append(DeviceKey.bounded(value), escapingBlanks: true, to: &line)
    }
    append(.path, device.path.isEmpty ? "?" : device.path)
    if let vendor = device.usbVendorID, let product = device.usbProductID {
      append(.usb, "\(DeviceKey.hex(vendor)):\(DeviceKey.hex(product))")
    }
    append(.manufacturer, device.manufacturer)
    append(.product, device.product)
    append(.serial, device.serial)
    append(.baud, device.baud.map { "\(inRange(baud: $0))" })
  }
}
