import Geodesy
package import LocationIPC
import LocationPolicy
package import TrackFormats

/// The state of the service as one JSON object; unknown values are absent.
package enum StatusJSON {
  /// - Parameter located: the last known position; `nil`: there is none, or the user has no access to it.
  package static func line(_ status: ServiceStatus, at located: LocatedFix? = nil) -> [UInt8] {
    var object = JSONObject()
    object.add("daemon", .flag(status.version != nil))
    object.add("version", .text(status.version))
    object.add("pid", .number(status.processID.map(Int.init)))
    object.add("running", .number(status.runningFor.inSeconds, decimals: 3))
    object.add("source", .text(status.source))
    object.add("inUse", .flag(status.isInUse))
    object.add("services", .flag(status.isOn))
    object.add("decisionsLost", .flag(status.isOffByLoss))
    object.add("indicator", .text(status.indicator.name))
    object.add("background", rawValue: background(status).closed)
    object.add("usage", rawValue: JSONObject.list(status.usage.map(UsageTable.object)))
    if !status.isSkyHidden { object.add("plan", rawValue: PowerPlanDescription.object(status.plan).closed) }
    if let wifi = status.wifi { object.add("wifi", rawValue: WiFiDescription.object(wifi).closed) }
    if let corrections = status.corrections {
      object.add("corrections", rawValue: CorrectionDescription.object(corrections).closed)
    }
    if let time = status.time { object.add("time", rawValue: TimeDescription.object(time).closed) }
    object.add("lastFixAge", .number(status.lastFixAge?.inSeconds, decimals: 3))
    object.add("lastFixRadius", .meters(status.lastFixRadius68?.value))
    if let located { object.add("position", rawValue: JSONFormat.object(located, keys: positionKeys).closed) }
    object.add("satellitesUsed", .number(status.satellitesUsed))
    object.add("satellitesInView", .number(status.satellitesInView))
    object.add("clients", rawValue: JSONObject.list(status.clients.map(Self.object)))
    object.add("devices", rawValue: JSONObject.list(status.devices.map(DeviceTable.object)))
    object.add("logs", rawValue: JSONObject.list(status.logs.map(LogTable.object)))
    if !status.fleet.isEmpty { object.add("fleet", rawValue: JSONObject.list(status.fleet.map(FleetTable.object))) }
    if !status.bounds.isEmpty { object.add("bounds", rawValue: JSONObject.list(status.bounds.map(Self.object))) }
    return object.line
  }

  /// The keys of the position, named as in the JSON of a fix.
  private static let positionKeys: [FixKey] = [
    .timestamp, .latitude, .longitude, .altitude, .horizontalAccuracy, .age, .suspect, .simulated,
  ]

  /// The number of clients that use location in the background without "always" permission, and the most recent one.
  private static func background(_ status: ServiceStatus) -> JSONObject {
    var object = JSONObject()
    object.add("count", .number(status.backgroundCount))
    if let user = status.background {
      object.add(client: user.identity)
      object.add("selfNamed", .text(user.name))
    }
    return object
  }

  private static func object(_ reached: ReachedBound) -> JSONObject {
    var object = JSONObject()
    object.add("bound", .text(reached.bound.kind.name))
    object.add("limit", .number(reached.bound.limit))
    object.add("uid", .number(reached.bound.userID.map(Int.init)))
    object.add("times", .number(reached.times))
    object.add("ago", .number(reached.ago.inSeconds, decimals: 3))
    return object
  }

  static func object(_ client: ClientStatus) -> JSONObject {
    var object = JSONObject()
    object.add("name", .text(client.name))
    object.add("purpose", .text(client.purpose))
    object.add("pid", .number(client.processID.map(Int.init)))
    object.add("connected", .number(client.connectedFor?.inSeconds, decimals: 3))
    if let port = client.port {
      object.add("protocol", .text(port.name))
      object.add("connections", .number(client.connections))
    }
    object.add("fixes", .number(client.oneShots))
    object.add("streams", .number(client.streams))
    object.add("skies", .number(client.skies))
    if client.paused > 0 { object.add("paused", .number(client.paused)) }
    if client.resting > 0 { object.add("resting", .number(client.resting)) }
    if client.undecided > 0 { object.add("undecided", .number(client.undecided)) }
    if let identity = client.identity {
      object.add(client: identity)
    } else {
      object.add("uid", .number(client.userID.map(Int.init)))
    }
    object.add("level", .text(client.level?.key))
    object.add("presence", .text(client.presence?.key))
    return object
  }
}

extension ServiceStatus {
  /// Whether a receiver is there that may be used. While the receivers are on, a port that is not open is one that is gone.
  var hasReceiver: Bool {
    devices.contains { $0.kind != .adapter && (plan.satellites != .on || $0.state != .closed) }
  }

  /// Whether any client has an open request for the position or the satellites, or any log is being recorded without a
  /// problem.
  var isInUse: Bool { clients.contains(where: \.wantsLocation) || logs.contains { $0.isRunning && $0.problem == nil } }
}

extension ClientStatus {
  /// Whether the client has an open request for the position or the satellites that is not suspended.
  var wantsLocation: Bool { oneShots + streams + skies > 0 }
}
