import Geodesy
import LocationIPC
import LocationPolicy
import PlacesData

/// Follows the position, and calls back with the first zone and with each zone that this machine surely enters.
final class TimezoneWatch: CommandHandler {
  typealias Reply = FixEvent

  let session: CommandSession
  private let world: WorldPlaces
  private let body: (String?, String, Bool) -> CommandStatus
  private var zone: String?
  /// Whether the position was surely in this zone.
  private var isSure = false

  /// - Parameter body: gets the old zone, the new one, and whether the position is surely in it; ends the command if it fails.
  init(_ session: CommandSession, _ world: WorldPlaces, _ body: @escaping (String?, String, Bool) -> CommandStatus) {
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
    guard case .fix(let fix, _) = reply, let now = world.timeZone(at: fix.coordinate) else { return }
    guard now != zone || !isSure else { return }
    let isSurelyNow = ZoneCertainty.isSure(now, at: fix.coordinate, radius: fix.horizontalRadius68, world)
    guard zone == nil || isSurelyNow else { return }
    session.endProgress()
    let status = body(now == zone ? nil : zone, now, isSurelyNow)
    zone = now
    isSure = isSurelyNow
    if status != .done { session.finish(status) }
  }
}
