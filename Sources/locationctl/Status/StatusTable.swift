import Diagnosis
import Geodesy
package import LocationIPC
import LocationPolicy

/// The state of the service, for people.
package enum StatusTable {
  package static func text(_ status: ServiceStatus) -> [UInt8] {
    var lines: [String] = []
    if let version = status.version {
      let pid = status.processID.map { ", process \($0)" } ?? ""
      lines.append("locationd \(version)\(pid), running for \(time(status.runningFor)).")
    }
    if status.version != nil {
      lines.append("Location services are \(status.isOn ? "on" : "off"); the indicator is \(status.indicator.text).")
    }
    if status.isOffByLoss { lines.append(FailureMessage(.decisionsLost, nil).text) }
    lines.append("Source: \(status.source).")
    if !status.isSkyHidden { lines.append(PowerPlanDescription.sentence(status.plan)) }
    if let wifi = status.wifi { lines.append(WiFiDescription.sentence(wifi)) }
    lines.append(
      status.isSkyHidden
        ? "Only users with access to the exact location see what the receivers do."
        : status.lastFixAge.map { "Last fix: \(time($0)) ago." } ?? "Last fix: none yet.")
    lines += status.bounds.map {
      String($0.bound.sentence.dropLast()) + " (\($0.times) times, last \(time($0.ago)) ago)."
    }
    var bytes = Array("\(lines.map { TerminalText.sanitized($0, limit: 2000) }.joined(separator: "\n"))\n".utf8)
    // The list of clients includes this command itself.
    if !status.clients.isEmpty { bytes += [0x0A] + TextTable.aligned(clients(status.clients)) }
    bytes += UsageTable.text(status.usage)
    bytes += [0x0A]
    bytes += status.devices.isEmpty ? Array("No receiver is attached.\n".utf8) : DeviceTable.table(status.devices)
    if !status.logs.isEmpty { bytes += [0x0A] + LogTable.table(status.logs) }
    return bytes
  }

  private static func clients(_ clients: [ClientStatus]) -> [[String]] {
    [["", "CLIENT", "PID", "WHO", "ACCESS", "STATE", "CONNECTED", "REQUESTS"]] + clients.map(row)
  }

  private static func row(_ client: ClientStatus) -> [String] {
    let user = client.identity.map(ClientName.selector(of:)) ?? client.userID.map { "\($0)" }
    return [
      client.wantsLocation ? "➤" : " ", TerminalText.sanitized(client.name), client.processID.map { "\($0)" } ?? "-",
      user ?? "-", client.level?.text ?? "-", client.presence?.text ?? "-", client.connectedFor.map(time) ?? "-",
      wants(client),
    ]
  }

  private static func wants(_ client: ClientStatus) -> String {
    let parts = [
      (client.oneShots, "a fix"), (client.streams, "updates"), (client.skies, "satellites"),
      (client.paused, "updates (paused)"),
      (client.resting, "updates (suspended)"), (client.undecided, "updates (waiting for access)"),
    ]
    let named = parts.filter { $0.0 > 0 }.map { $0.0 == 1 ? $0.1 : "\($0.0) × \($0.1)" }
    return named.isEmpty ? "none" : named.joined(separator: ", ")
  }

  /// "12 s", "3 min", "5 h", "2 days": one unit is enough for a reader.
  static func time(_ duration: Duration) -> String {
    let seconds = Int(max(0, duration.inSeconds))
    return switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
  }
}
