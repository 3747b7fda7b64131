import Geodesy
import LocationIPC
import LocationPolicy

/// The app with the map: a client in the background whose updates pause automatically, and continue when the driver looks at it.
struct TripApp {
  private(set) var pause = AutoPause(limits: .automotive, isInForeground: false)
  /// The ID of its current updates.
  private(set) var stream: RequestID?
  private var lastStream: UInt32 = 0

  /// The request to the service, and the line for the report, if there are any.
  struct Reaction {
    var request: ClientRequest?
    var line: String?
  }

  var nextDeadline: Instant? { pause.nextDeadline }

  /// The service is available, or available again.
  mutating func connected(at now: Instant) -> ClientRequest? {
    stream = nil
    if !pause.isPaused { _ = pause.handle(.start, at: now) }
    return pause.isPaused ? nil : begin()
  }

  mutating func receive(_ event: ServiceEvent, at now: Instant) -> Reaction {
    guard case .update(let request, let fix, _) = event, request == stream else { return Reaction() }
    return react(to: .fix(fix), at: now)
  }

  mutating func react(to input: AutoPause.Input, at now: Instant) -> Reaction {
    var reaction = Reaction()
    for action in pause.handle(input, at: now) {
      switch action {
      case .pause(let reason):
        reaction.line = "app: paused, \(reason)"
        reaction.request = stream.map { .cancel($0) }
        stream = nil
      case .resume:
        reaction.line = "app: resumed"
        reaction.request = begin()
      // The app can come to the foreground, and waits for that.
      case .checkPosition, .rest: break
      }
    }
    return reaction
  }

  private mutating func begin() -> ClientRequest {
    lastStream += 1
    let request = RequestID(lastStream)
    stream = request
    return .startUpdates(request, UpdateOptions(waitsForSource: true))
  }
}
