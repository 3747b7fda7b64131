import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService

/// A tracker that runs as a system service with Apple's defaults: its updates pause automatically, it never comes to the foreground,
/// and it reacts to neither. The daemon's own gate stands between it and the service's core.
struct TripTracker {
  static let id = ClientID.process(4)

  private var gate = AccessGate(key: nil)
  /// The fixes that the tracker received, and how often its updates paused.
  private(set) var fixes: [PositionFix] = []
  private(set) var pauses = 0
  /// How long positions were requested, by the tracker or for its checks.
  private(set) var asked: Duration = .zero
  private var askedSince: Instant?

  /// The requests and the output that an input causes.
  struct Reaction {
    var requests: [ClientRequest] = []
    var lines: [String] = []
  }

  var nextDeadline: Instant? { [gate.nextDeadline, gate.nextPauseDeadline].compactMap(\.self).min() }

  /// The service started or restarted: the new one has no record of a pause.
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
    if gate.isWakeDue { receive(.wake, at: now, &reaction) }
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
        // There is one stream at a time, the tracker's own or a check; the end of one may be reported after the
        // beginning of the next.
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
