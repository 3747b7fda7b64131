import Geodesy
package import LocationIPC
import TrackFormats

/// The output of `locationctl devices`: a table for people, one JSON object per line for scripts.
package enum DeviceTable {
  /// One JSON object per line.
  package static func jsonLines(_ devices: [DeviceDescription]) -> [UInt8] {
    devices.flatMap { object($0).line }
  }

  /// One device as JSON, with the keys of the command line contract.
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
    object.add("kind", .text(device.kind.name))
    object.add("state", .text(device.state.name))
    object.add("owner", .text(device.owner?.name))
    object.add("receiver", .text(device.name))
    return object
  }

  /// Aligned columns under a heading.
  package static func table(_ devices: [DeviceDescription]) -> [UInt8] {
    // Show the owner only if at least one device has a recorded owner: gpsd, or this service by the user's choice.
    let showsOwner = devices.contains { $0.owner != nil }
    // The same for names from the configuration.
    let showsReceiver = devices.contains { $0.name != nil }
    var rows = [
      (showsReceiver ? ["RECEIVER"] : []) + ["PATH", "KIND", "STATE"] + (showsOwner ? ["OWNER"] : [])
        + ["USB", "BAUD", "PROTOCOL", "NAME", "ID"]
    ]
    for device in devices {
      let columns = (showsReceiver ? [device.name ?? "-"] : []) + row(device, showsOwner: showsOwner)
      rows.append(columns.map { TerminalText.sanitized($0) })
    }
    return TextTable.aligned(rows)
  }

  private static func row(_ device: DeviceDescription, showsOwner: Bool) -> [String] {
    let usb = device.usbVendorID.flatMap { vendor in device.usbProductID.map { "\(hex(vendor)):\(hex($0))" } }
    // What the receiver reports about itself is preferred to its USB descriptor.
    let identity = [device.chip, device.firmware].compactMap(\.self).joined(separator: " ")
    let name = identity.isEmpty ? device.product ?? "-" : identity
    let owner = showsOwner ? [device.owner?.name ?? "-"] : []
    return [device.path, device.kind.name, device.state.name] + owner
      + [usb ?? "-", device.baud.map { String($0) } ?? "-", device.protocolName ?? "-", name, device.id]
  }

  private static func hex(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
