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
  package static func table(_ devices: [DeviceDescription], _ look: Presentation = .current) -> [UInt8] {
    // Show the owners only if at least one device has one: gpsd, or locationd because the user chose it.
    let showsOwner = devices.contains { $0.owner != nil }
    // Show the names from the configuration only if at least one device has one.
    let showsReceiver = devices.contains { $0.name != nil }
    let titles: [StyledText] =
      (showsReceiver ? ["RECEIVER"] : []) + ["PATH", "KIND", "STATE"] + (showsOwner ? ["OWNER"] : [])
      + ["USB", "BAUD", "PROTOCOL", "NAME", "ID"]
    let rows = devices.map { (showsReceiver ? [cell($0.name)] : []) + row($0, showsOwner: showsOwner) }
    return TextTable.aligned([titles] + rows, look)
  }

  private static func row(_ device: DeviceDescription, showsOwner: Bool) -> [StyledText] {
    let usb = device.usbVendorID.flatMap { vendor in device.usbProductID.map { "\(hex(vendor)):\(hex($0))" } }
    let owner: [StyledText] = showsOwner ? ["\(device.owner?.name ?? "-")"] : []
    return [cell(device.path), "\(device.kind.name)", StyledText(device.state.name, role(of: device.state))] + owner
      + [
        "\(usb ?? "-")", "\(device.baud.map { String($0) } ?? "-")", cell(device.protocolName), cell(name(of: device)),
        .dim(TerminalText.sanitized(device.id)),
      ]
  }

  private static func cell(_ text: String?) -> StyledText { "\(text.map { TerminalText.sanitized($0) } ?? "-")" }

  /// The name that the receiver reports, otherwise the one in its USB descriptor.
  static func name(of device: DeviceDescription) -> String? {
    let identity = [device.chip, device.firmware].compactMap(\.self).joined(separator: " ")
    return identity.isEmpty ? device.product : identity
  }

  static func role(of state: DeviceState) -> TextRole {
    switch state {
    case .fixing, .open: .good
    case .opening, .hunting, .identified: .plain
    case .closed: .dim
    case .silent, .busy, .untrusted: .warning
    case .denied: .bad
    }
  }

  private static func hex(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
