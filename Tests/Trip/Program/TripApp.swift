import Geodesy
import LocationIPC
import LocationPolicy

/// The app with the map: a client in the background whose updates are paused by themselves, and go on when the driver looks.
struct TripApp {
  private(set) var pause = AutoPause(limits: .automotive, isInForeground: false)
  /// Its updates that are under way.
  private(set) var stream: RequestID?
  private var lastStream: UInt32 = 0

  /// What it says to the service, and what is worth a line.
  struct Reaction {
    var request: ClientRequest?
    var line: String?
  }

  var nextDeadline: Instant? { pause.nextDeadline }

  /// The service is there, or there again.
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
