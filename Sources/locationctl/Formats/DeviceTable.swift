import Geodesy
package import LocationIPC
import TrackFormats

/// The devices as `locationctl devices` writes them: a table for people, a JSON object a line for scripts.
package enum DeviceTable {
  /// One JSON object a line.
  package static func jsonLines(_ devices: [DeviceDescription]) -> [UInt8] {
    devices.flatMap { object($0).line }
  }

  /// One device with the contract's keys.
  static func object(_ device: DeviceDescription) -> JSONObject {
    var object = JSONObject()
    object.add("path", .text(device.path))
    object.add("id", .text(device.id))
    object.add("vendorId", .text(device.usbVendorID.map(hex)))
    object.add("productId", .text(device.usbProductID.map(hex)))
    object.add("product", .text(device.product))
    object.add("chip", .text(device.chip))
    object.add("firmware", .text(device.firmware))
    object.add("protocol", .text(device.protocolName))
    object.add("baud", .number(device.baud))
    object.add("kind", .text(device.kind.rawValue))
    object.add("state", .text(device.state.rawValue))
    object.add("owner", .text(device.owner?.rawValue))
    return object
  }

  /// Aligned columns under a heading.
  package static func table(_ devices: [DeviceDescription]) -> [UInt8] {
    // Where there is no gpsd, nobody asks whose they are.
    let showsOwner = devices.contains { $0.owner != nil }
    var rows = [["PATH", "KIND", "STATE"] + (showsOwner ? ["OWNER"] : []) + ["USB", "BAUD", "PROTOCOL", "NAME", "ID"]]
    for device in devices { rows.append(row(device, showsOwner: showsOwner).map { TerminalText.sanitized($0) }) }
    return aligned(rows)
  }

  /// Rows of cells, each column as wide as its widest.
  static func aligned(_ rows: [[String]]) -> [UInt8] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      // The last column runs free, so that no line ends in blanks.
      row.indices.map { column in
        column == row.count - 1
          ? row[column] : row[column] + String(repeating: " ", count: widths[column] - row[column].count)
      }.joined(separator: "  ")
    }
    return Array("\(lines.joined(separator: "\n"))\n".utf8)
  }

  private static func row(_ device: DeviceDescription, showsOwner: Bool) -> [String] {
    let usb = device.usbVendorID.flatMap { vendor in device.usbProductID.map { "\(hex(vendor)):\(hex($0))" } }
    // What the receiver says of itself beats what its USB descriptor says.
    let identity = [device.chip, device.firmware].compactMap(\.self).joined(separator: " ")
    let name = identity.isEmpty ? device.product ?? "-" : identity
    let owner = showsOwner ? [device.owner?.rawValue ?? "-"] : []
    return [device.path, device.kind.rawValue, device.state.rawValue] + owner
      + [usb ?? "-", device.baud.map { String($0) } ?? "-", device.protocolName ?? "-", name, device.id]
  }

  private static func hex(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
