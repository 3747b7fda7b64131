import Geodesy

/// Converts records to the lines of a capture; the format's own line precedes the first one.
package struct CaptureWriter: Sendable {
  private var hasBegun = false
  private var latest = Duration.zero

  /// A writer at the beginning of a file.
  package init() {}

  /// The lines of `record`. The output can always be read: an arrival before the last one written becomes that one, a
  /// source or baud rate out of range becomes its nearest bound, a device's string is cut to fit, and a payload beyond
  /// `CaptureFormat.maximumPayload` becomes several lines with the same time.
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

  /// `text` as comment lines; control characters become spaces.
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

/// The form of payload bytes in a line: printable ASCII as it is, anything else escaped by a backslash.
enum CaptureEscape {
  /// Appends `bytes` escaped. The last byte of a line is never a space, which editors would remove; `escapingBlanks` is for values
  /// that are separated by spaces.
  static func append(_ bytes: some Collection<UInt8>, escapingBlanks: Bool = false, to line: inout [UInt8]) {
    var left = bytes.count
    for byte in bytes {
      left -= 1
      switch byte {
      case UInt8(ascii: "\r"): line += [backslash, UInt8(ascii: "r")]
      case UInt8(ascii: "\n"): line += [backslash, UInt8(ascii: "n")]
      case backslash: line += [backslash, backslash]
      case UInt8(ascii: " ") where escapingBlanks || left == 0: appendHex(byte, to: &line)
      case 0x20...0x7E: line.append(byte)
      default: appendHex(byte, to: &line)
      }
    }
  }

  /// The bytes of the escaped `text`; `nil` if it contains an unescaped byte that is not printable ASCII, or an invalid
  /// escape. Bytes that `append` writes unescaped are accepted as `\xHH` too.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte == backslash else {
        guard (0x20...0x7E).contains(byte) else { return nil }
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "r"): bytes.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
      case backslash: bytes.append(backslash)
      case UInt8(ascii: "x"):
        guard let high = rest.popFirst().flatMap(nibble), let low = rest.popFirst().flatMap(nibble) else { return nil }
        bytes.append(high << 4 | low)
      default: return nil
      }
    }
    return bytes
  }

  /// `bytes` as printable text of at most `limit` characters, for an error.
  static func excerpt(_ bytes: ArraySlice<UInt8>, limit: Int = 40) -> String {
    var escaped: [UInt8] = []
    append(bytes.prefix(limit), to: &escaped)
    let text = String(decoding: escaped, as: UTF8.self)
    return text.count > limit || bytes.count > limit ? String(text.prefix(limit - 1)) + "…" : text
  }

  private static let backslash = UInt8(ascii: "\\")

  private static func appendHex(_ byte: UInt8, to line: inout [UInt8]) {
    line += [backslash, UInt8(ascii: "x"), hexDigit(byte >> 4), hexDigit(byte & 15)]
  }

  /// The lower-case digit of a nibble.
  private static func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }

  /// The value of a hex digit of either case.
  private static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
