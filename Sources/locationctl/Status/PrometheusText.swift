package import Geodesy
package import LocationIPC
import LocationPolicy
import Positioning
import TrackFormats

/// The state of the service as metrics: Prometheus' text exposition format, version 0.0.4. It contains only what the
/// client has access to, and no position unless one is passed.
package struct PrometheusText {
  private var lines: [String] = []

  /// - Parameters:
  ///   - status: `nil`: no daemon answers.
  ///   - fix: a position to include.
  ///   - own: the process that makes this request; it is not counted as a client.
  ///   - now: the time of this machine's clock.
  package static func text(_ status: ServiceStatus?, fix: PositionFix? = nil, own: Int32, now: GNSSTime) -> [UInt8] {
    var text = PrometheusText()
    text.add("locationd_up", "Whether locationd answers.", status?.version == nil ? 0 : 1)
    guard let status, let version = status.version else { return text.bytes }
    text.addService(status, version: version)
    text.addFix(status)
    text.addClients(status, own: own)
    text.addSources(status)
    text.addLogs(status, now: now)
    if let fix { text.add(fix) }
    return text.bytes
  }

  private var bytes: [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }

  // MARK: - Groups

  private mutating func addService(_ status: ServiceStatus, version: String) {
    add("locationd_build_info", "The release of locationd, as a label.", [(["version": version], 1)])
    add("locationd_uptime_seconds", "Time since locationd started.", status.runningFor.inSeconds, decimals: 3)
    add("locationd_services_enabled", "Whether location services are on.", status.isOn ? 1 : 0)
    add(
      "locationd_bound_refusals_last_hour", "Requests that were refused in the last hour because a limit was reached.",
      ServiceBound.Kind.allCases.map { kind in
        let times = status.bounds.filter { $0.bound.kind == kind }.reduce(0) { $0 + $1.times }
        return (["bound": kind.name], Double(times))
      })
  }

  private mutating func addFix(_ status: ServiceStatus) {
    add("locationd_fix_age_seconds", "Age of the last fix.", status.lastFixAge?.inSeconds, decimals: 3)
    add(
      "locationd_fix_radius_meters", "68 % radius of the last fix when it was measured.", status.lastFixRadius68?.value,
      decimals: 3)
    add(
      "locationd_satellites_used", "Satellites in the latest solution of the receiver.",
      status.satellitesUsed.map(Double.init))
    add("locationd_satellites_in_view", "Satellites that the receiver lists.", status.satellitesInView.map(Double.init))
  }

  private mutating func addClients(_ status: ServiceStatus, own: Int32) {
    let clients = status.clients.filter { $0.processID != own }
    add("locationd_clients", "Connected clients that this client may see, without itself.", Double(clients.count))
    func sum(_ count: (ClientStatus) -> Int) -> Double { Double(clients.reduce(0) { $0 + count($1) }) }
    add(
      "locationd_requests", "Open requests of the connected clients that this client may see.",
      [
        (["kind": "fix"], sum(\.oneShots)), (["kind": "updates"], sum(\.streams)),
        (["kind": "satellites"], sum(\.skies)), (["kind": "paused"], sum { $0.paused + $0.resting + $0.undecided }),
      ])
  }

  private mutating func addSources(_ status: ServiceStatus) {
    add(
      "locationd_receivers", "Receivers and adapters by state.",
      DeviceState.allCases.map { state in
        (["state": state.name], Double(status.devices.count { $0.state == state }))
      })
    guard !status.isSkyHidden else { return }
    add(
      "locationd_source_active", "Whether the source is running.",
      [
        (["source": "satellites"], status.plan.satellites == .off ? 0 : 1),
        (["source": "wifi"], status.plan.wifiPeriod == nil ? 0 : 1),
      ])
    guard case .listening(let received, let known, _)? = status.wifi else { return }
    add("locationd_wifi_access_points_in_range", "Access points in range.", Double(received))
    add("locationd_wifi_access_points_known", "Access points in range with a known position.", Double(known))
  }

  private mutating func addLogs(_ status: ServiceStatus, now: GNSSTime) {
    add(
      "locationd_logs", "Logs by state.",
      ["recording", "failing", "interrupted", "stopped"].map { state in
        (["state": state], Double(status.logs.count { LogTable.stateKey($0) == state }))
      })
    add("locationd_logs_bytes", "Size of all logs on the disk.", Double(status.logs.reduce(0) { $0 + $1.bytes }))
    // For an encrypted log, only the day is known.
    let newest = status.logs.filter { $0.publicKey == nil && $0.isRunning }.compactMap(\.end).max()
    add(
      "locationd_log_newest_point_age_seconds",
      "Age of the newest point of all logs that are recording and not encrypted.",
      newest.map { max(0, (now - $0).inSeconds) }, decimals: 3)
  }

  private mutating func add(_ fix: PositionFix) {
    add(
      "locationd_fix_latitude_degrees", "Latitude of the last fix, WGS 84.", fix.coordinate.latitude.degrees,
      decimals: 7)
    add("locationd_fix_longitude_degrees", "Longitude of the last fix.", fix.coordinate.longitude.degrees, decimals: 7)
    add(
      "locationd_fix_altitude_meters", "Height of the last fix above mean sea level.",
      fix.heightAboveMeanSeaLevel?.value,
      decimals: 2)
  }

  // MARK: - Lines

  private mutating func add(_ name: String, _ help: String, _ value: Double?, decimals: Int = 0) {
    guard let value else { return }
    add(name, help, [([:], value)], decimals: decimals)
  }

  private mutating func add(
    _ name: String, _ help: String, _ samples: [(labels: [String: String], Double)], decimals: Int = 0
  ) {
    lines.append("# HELP \(name) \(help)")
    lines.append("# TYPE \(name) gauge")
    for (labels, value) in samples {
      // Sizes may exceed the range of `FixedDecimal`.
      let whole = decimals == 0 ? Int64(exactly: value.rounded()).map { "\($0)" } : nil
      guard let number = whole ?? FixedDecimal.text(value, decimals: decimals) else { continue }
      let text = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
      lines.append("\(name)\(text.isEmpty ? "" : "{\(text.joined(separator: ","))}") \(number)")
    }
  }

  /// The value of a label: backslashes and quotes are escaped, and control characters are replaced by U+FFFD.
  private static func escaped(_ value: String) -> String {
    TerminalText.sanitized(value).reduce(into: "") { text, character in
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.append(character)
      }
    }
  }
}
