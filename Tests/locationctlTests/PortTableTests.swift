import Foundation
import LocationIPC
import Testing
import locationctl

/// The ports for other protocols, as `gpsd` and `status` show them.
@Suite struct PortTableTests {
  private var status: ServiceStatus {
    var status = ServiceStatus(source: "auto")
    status.ports = [
      PortStatus(protocolName: .gpsd, address: "127.0.0.1:2947", state: .inUse, isPassed: false),
      PortStatus(protocolName: .gpsd, address: "[::1]:2947", state: .listening, isPassed: true),
      PortStatus(protocolName: .nmea, address: "127.0.0.1:10\u{1B}110", state: .failed, isPassed: false),
      PortStatus(protocolName: .nmea, address: "[::1]:10110", state: .unidentified, isPassed: false),
    ]
    var client = ClientStatus(name: "gpsd client")
    (client.port, client.connections, client.userID) = (.gpsd, 3, 1000)
    status.clients = [ClientStatus(name: "locationctl"), client]
    return status
  }

  private var text: String { String(decoding: PortTable.text(status, .pipe), as: UTF8.self) }

  @Test func eachPortHasALine() throws {
    let lines = text.split(separator: "\n")
    #expect(lines.count == 5, "\(text)")
    #expect(lines[0].contains("127.0.0.1:2947") && lines[0].contains("another program has this port, such as gpsd"))
    #expect(lines[1].contains("[::1]:2947") && lines[1].contains("opened by systemd"))
    #expect(lines[2].contains("NMEA 0183") && lines[2].contains("cannot be opened"))
    #expect(lines[3].contains("[::1]:10110") && lines[3].contains("modprobe tcp_diag"))
    #expect(!text.contains("\u{1B}"))
  }

  /// Clients of the service's own socket are not clients of a port.
  @Test func onlyClientsOfPortsAreListed() throws {
    #expect(text.contains("gpsd client") && !text.contains("locationctl  "))
    let line = try #require(
      JSONSerialization.jsonObject(with: Data(PortTable.line(status))) as? [String: Any])
    let clients = try #require(line["clients"] as? [[String: Any]])
    #expect(clients.count == 1 && clients[0]["connections"] as? Int == 3)
    let ports = try #require(line["ports"] as? [[String: Any]])
    let states = ports.compactMap { $0["state"] as? String }
    #expect(states == ["inUse", "listening", "failed", "unidentified"])
  }

  /// `status` has one line for all such ports, and none without.
  @Test func statusWarnsOnce() {
    var status = status
    (status.version, status.processID) = ("1", 1)
    status.ports.append(PortStatus(protocolName: .gpsd, address: "127.0.0.1:1", state: .unidentified, isPassed: false))
    let text = String(decoding: StatusTable.text(status, .pipe), as: UTF8.self)
    #expect(text.split(separator: "\n").count { $0.contains("tcp_diag") } == 1, "\(text)")
    status.ports.removeAll { $0.state == .unidentified }
    #expect(!String(decoding: StatusTable.text(status, .pipe), as: UTF8.self).contains("tcp_diag"))
  }

  @Test func withoutAPortTheTextNamesTheCommand() {
    let text = String(decoding: PortTable.text(ServiceStatus(source: "auto"), .pipe), as: UTF8.self)
    #expect(text.contains("sudo locationctl gpsd on"))
  }
}
