package import LocationIPC
import TrackFormats

/// The ports at which the service serves other protocols, and the clients there.
package enum PortTable {
  /// A JSON object.
  package static func line(_ status: ServiceStatus) -> [UInt8] {
    var object = JSONObject()
    object.add("ports", rawValue: JSONObject.list(status.ports.map(Self.object)))
    object.add("clients", rawValue: JSONObject.list(clients(of: status).map(StatusJSON.object)))
    return object.line
  }

  private static func object(_ port: PortStatus) -> JSONObject {
    var object = JSONObject()
    object.add("protocol", .text(port.protocolName.name))
    object.add("address", .text(port.address))
    object.add("state", .text(port.state.name))
    object.add("activated", .flag(port.isPassed))
    return object
  }

  private static func clients(of status: ServiceStatus) -> [ClientStatus] { status.clients.filter { $0.port != nil } }

  /// For people.
  package static func text(_ status: ServiceStatus, _ look: Presentation) -> [UInt8] {
    guard !status.ports.isEmpty || !clients(of: status).isEmpty else {
      let text =
        StyledText.dim(look.hollowDot)
        + " gpsd's protocol and NMEA 0183 are off: switch them on with 'sudo locationctl gpsd on', for NMEA with '--nmea'"
      return TextTable.bytes(TextTable.wrapped(text, within: look.width ?? .max), look)
    }
    var lines = TextTable.lines(untitled: status.ports.map { row($0, look) }, look)
    let clients = clients(of: status).map { StatusTable.client($0, look) }
    if clients.isEmpty { lines.append(.dim("no clients")) } else { lines += TextTable.lines(untitled: clients, look) }
    return TextTable.bytes(lines, look)
  }

  /// The kernel cannot identify clients, and what to do.
  package static let unidentified =
    "the kernel cannot identify programs at this port; load its module: 'sudo modprobe tcp_diag'"

  private static func row(_ port: PortStatus, _ look: Presentation) -> [StyledText] {
    let name: StyledText =
      switch port.protocolName {
      case .gpsd: "gpsd's protocol"
      case .nmea: "NMEA 0183"
      }
    let address = StyledText(TerminalText.sanitized(port.address))
    return switch port.state {
    case .listening: [.good(look.dot) + " " + name, address, port.isPassed ? "served, opened by systemd" : "served"]
    case .inUse:
      [
        .warning(look.dot) + " " + name, address,
        .warning("another program has this port, such as gpsd: end it, then run 'sudo systemctl reload locationd'"),
      ]
    case .unidentified:
      [.bad(look.dot) + " " + name, address, .bad("nobody is served: \(unidentified)")]
    case .failed: [.bad(look.dot) + " " + name, address, .bad("cannot be opened: see the journal of locationd")]
    }
  }
}
