import Geodesy
import LocationIPC
import LocationPolicy
import PlacesData

/// Follows the position, and calls back with the first zone and with each zone that this machine surely enters.
final class TimezoneWatch: CommandHandler {
  typealias Reply = FixEvent

  /// A radius contains the position with 68 %; three of them practically always.
  private static let radii = 3.0
  /// The directions in which the border is looked for.
  private static let directions = 16

  let session: CommandSession
  private let world: WorldPlaces
  private let body: (String?, String) -> CommandStatus
  private var zone: String?

  /// - Parameter body: gets the old zone and the new one; ends the command if it fails.
  init(_ session: CommandSession, _ world: WorldPlaces, _ body: @escaping (String?, String) -> CommandStatus) {
    (self.session, self.world, self.body) = (session, world, body)
  }

  func start() {
    session.endWhenOutputCloses()
    session.showProgress()
    var options = UpdateOptions()
    options.device = session.device
    session.send(ServiceRequest.updates(options), for: self)
  }

  func receive(_ reply: FixEvent, to request: RequestID) {
    guard case .fix(let fix, _) = reply, let now = world.timeZone(at: fix.coordinate), now != zone else { return }
    guard zone == nil || isSurely(now, fix) else { return }
    session.endProgress()
    let status = body(zone, now)
    zone = now
    if status != .done { session.finish(status) }
  }

  /// Whether the zone is the same in all directions at three radii.
  private func isSurely(_ name: String, _ fix: PositionFix) -> Bool {
    let distance = Self.radii * fix.horizontalRadius68.value
    return (0..<Self.directions).allSatisfy { step in
      let angle = Double(step) / Double(Self.directions) * 2 * .pi
      let north = distance * Math.cos(angle) / 111_320
      let east = distance * Math.sin(angle) / (111_320 * max(Math.cos(fix.coordinate.latitude.radians), 0.01))
      var longitude = fix.coordinate.longitude.degrees + east
      if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
      guard
        let point = Coordinate(
          checkingLatitude: min(max(fix.coordinate.latitude.degrees + north, -90), 90), longitude: longitude)
      else { return false }
      return world.timeZone(at: point) == name
    }
  }
}
