import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService

/// A tracker that runs as a system service, with Apple's defaults: its updates pause by themselves, it never comes to the foreground,
/// and it does nothing about either. What lies between it and the service's core is the daemon's own gate.
struct TripTracker {
  static let id = ClientID.process(4)

  private var gate = AccessGate(key: nil)
  /// What it was told, and when its updates paused and went on.
  private(set) var fixes: [PositionFix] = []
  private(set) var pauses = 0
  /// For how long positions were asked for, for it or for its checks.
  private(set) var asked: Duration = .zero
  private var askedSince: Instant?

  /// What it leads to.
  struct Reaction {
    var requests: [ClientRequest] = []
    var lines: [String] = []
  }

  var nextDeadline: Instant? { [gate.nextDeadline, gate.nextPauseDeadline].compactMap(\.self).min() }

  /// The service is there, or there again: another one, which knows of no pause.
  mutating func connected(at now: Instant) -> Reaction {
    gate = AccessGate(key: nil)
    askedSince = nil
    let client = AuthorizationClient(
      ClientIdentity(userID: 0), privilege: .administrator, presence: .background, canReturn: false, name: "tracker")
    let options = UpdateOptions(
      activity: .other, waitsForSource: true, whenNotDetermined: .waits, allowsBackground: false,
      pausesAutomatically: true)
    return [
      AccessGate.Input.loaded([], isOn: true), .arrived(Self.id, client),
      .request(Self.id, .startUpdates(RequestID(1), options)),
    ].reduce(into: Reaction()) { receive($1, at: now, &$0) }
  }

  mutating func receive(_ event: ServiceEvent, at now: Instant) -> Reaction {
    var reaction = Reaction()
    guard case .update = event else {
      receive(.event(Self.id, event), at: now, &reaction)
      return reaction
    }
    if case .update(_, let fix, _)? = gate.passing(event, to: Self.id, at: now) { fixes.append(fix) }
    if gate.hasPauses { receive(.wake, at: now, &reaction) }
    return reaction
  }

  mutating func wake(at now: Instant) -> Reaction {
    var reaction = Reaction()
    receive(.wake, at: now, &reaction)
    return reaction
  }

  /// The service ends.
  mutating func stopped(at now: Instant) {
    if let askedSince { asked += now - askedSince }
    askedSince = nil
  }

  private mutating func receive(_ input: AccessGate.Input, at now: Instant, _ reaction: inout Reaction) {
    for action in gate.handle(input, at: now, clock: nil) {
      switch action {
      case .pass(_, let request):
        reaction.requests.append(request)
        // One stream at a time: its own, or a check, of which the one that ends may be told after the one that begins.
        if case .cancel = request {
          if reaction.requests.count == 1 { stopped(at: now) }
        } else {
          askedSince = askedSince ?? now
        }
      case .send(_, .streamChanged(_, .paused)):
        pauses += 1
        reaction.lines.append("tracker: paused")
      case .send(_, .streamChanged(_, .unpaused)): reaction.lines.append("tracker: resumed")
      case .send, .confirm, .keep, .keepSwitch, .show, .ignored, .reached: break
      }
    }
  }
}
