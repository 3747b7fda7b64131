import BusMessages
import GeoClueBridge
import Geodesy
import TestSupport
import Testing

extension Instant {
  static let start = Instant(nanoseconds: 1_000_000_000_000)
}

/// A bridge, and what its clients see.
struct BridgeRun {
  var bridge = GeoClueBridge(at: .start)
  var now = Instant.start
  private var lastCall: UInt64 = 0

  /// Calls a method and returns what follows from it; the number of the call is `calls`.
  mutating func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [], from name: String = ":1.7",
    userID: UInt32 = 1000, isSandboxed: Bool = false
  ) -> [BridgeAction] {
    lastCall += 1
    let call = BusCall(path: path, interface: interface, member: member, arguments)
    return bridge.handle(.call(number, call, from: name, userID: userID, isSandboxed: isSandboxed), at: now)
  }

  /// The number of the last call.
  var number: CallNumber { CallNumber(lastCall) }

  mutating func manager(
    _ member: String, _ arguments: [BusValue] = [], from name: String = ":1.7", userID: UInt32 = 1000
  ) -> [BridgeAction] {
    call(GeoClue.managerPath, "org.freedesktop.GeoClue2.Manager", member, arguments, from: name, userID: userID)
  }

  mutating func client(_ member: String, _ client: Int = 1, from name: String = ":1.7") -> [BridgeAction] {
    call(Self.path(client), "org.freedesktop.GeoClue2.Client", member, from: name)
  }

  mutating func set(_ property: String, _ value: BusValue, _ client: Int = 1) -> [BridgeAction] {
    call(
      Self.path(client), StandardInterface.properties, "Set",
      [.string("org.freedesktop.GeoClue2.Client"), .string(property), .variant(value)])
  }

  mutating func get(_ path: String, _ interface: String, _ property: String, from name: String = ":1.7")
    -> [BridgeAction]
  {
    call(
      path, StandardInterface.properties, "Get", [.string("org.freedesktop.GeoClue2." + interface), .string(property)],
      from: name)
  }

  mutating func handle(_ input: BridgeInput) -> [BridgeAction] { bridge.handle(input, at: now) }

  /// A client with a desktop ID, and with a requested accuracy if there is a `level`.
  static func ready(level: UInt32? = nil) -> BridgeRun {
    var run = BridgeRun()
    _ = run.manager("GetClient")
    _ = run.set("DesktopId", .string("maps"))
    if let level { _ = run.set("RequestedAccuracyLevel", .uint32(level)) }
    return run
  }

  /// A client that is active and has no position yet.
  static func active(level: UInt32 = 8) -> BridgeRun {
    var run = ready(level: level)
    _ = run.client("Start")
    _ = run.handle(.authorization(client: 1, .allowed))
    return run
  }

  static func path(_ client: Int) -> String { "/org/freedesktop/GeoClue2/Client/\(client)" }

  static func fix(_ second: Double, north: Double = 0) -> PositionFix {
    let nanoseconds = Int64(second * 1e9)
    return PositionFix(
      time: GNSSTime(nanosecondsSince1970: 1_700_000_000_000_000_000 + nanoseconds), timeValidity: .confirmed,
      receivedAt: .start + .nanoseconds(nanoseconds),
      coordinate: Coordinate(latitude: Angle(degrees: 50 + north / 111_229), longitude: Angle(degrees: 8)),
      horizontalRadius68: Meters(5), kind: .threeDimensional, technologies: .gnss)
  }

  static func updated(_ old: String, _ new: String, _ client: Int = 1) -> BusSignal {
    BusSignal(
      path: path(client), interface: "org.freedesktop.GeoClue2.Client", member: "LocationUpdated",
      [.objectPath(old), .objectPath(new)])
  }

  static func changed(_ values: [(name: String, value: BusValue)], _ client: Int = 1) -> BusSignal {
    .changed("org.freedesktop.GeoClue2.Client", of: path(client), values)
  }

  static func used(_ isInUse: Bool) -> BridgeAction {
    .emit(
      .changed(
        "org.freedesktop.GeoClue2.Manager", of: GeoClue.managerPath, [(name: "InUse", value: .boolean(isInUse))]),
      to: nil)
  }
}
