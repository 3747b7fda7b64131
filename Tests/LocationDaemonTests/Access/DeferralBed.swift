import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import TestSupport

/// A gate with clients that defer their updates, and a service that sends a fix a second to every stream that the gate passes on. The
/// clock only advances when the test moves it, and the gate is woken at its deadlines.
struct DeferralBed {
  /// A tracker that the user 1001 runs in the background, and what it has received.
  static let tracker = ClientID.process(2)

  /// What a client receives, in short.
  enum Received: Equatable, CustomStringConvertible {
    /// A fix of its own, by its second.
    case fix(Int)
    case batch([Int])
    /// The call is over: its distance or time was reached.
    case done(UInt32)
    case failed(UInt32, LocationFailure)
    case change(StreamChange)
    case other(RequestID)

    var description: String {
      switch self {
      case .fix(let second): "fix \(second)"
      case .batch(let seconds): "batch \(seconds.first ?? -1)…\(seconds.last ?? -1) (\(seconds.count))"
      case .done(let call): "done \(call)"
      case .failed(let call, let failure): "failed \(call) \(failure)"
      case .change(let change): "\(change)"
      case .other(let request): "other \(request.rawValue)"
      }
    }
  }

  private(set) var bed = GateBed()
  /// What each client has received since it was last taken.
  private var received: [ClientID: [Received]] = [:]
  /// The streams that the service has.
  private(set) var running: [ClientID: Set<RequestID>] = [:]
  private static let begin = Instant(nanoseconds: 1_000_000_000_000)
  /// How often the gate has been woken at a deadline.
  private(set) var wakeups = 0

  init() { _ = bed.handle(.loaded([], isOn: true)) }

  var second: Int { Int((bed.now - Self.begin).components.seconds) }
  var gate: AccessGate { bed.gate }

  /// A fix of this second, of a machine that moves 10 m north in each.
  static func fix(_ second: Int) -> PositionFix {
    var fix = fix(north: 10 * Double(second))
    fix.receivedAt = begin + .seconds(second)
    fix.speedMetersPerSecond = 10
    fix.device = "/dev/ttyACM0"
    return fix
  }

  private static func fix(north: Double) -> PositionFix { LocationDaemonTests.fix(north: north) }

  /// A client whose user has granted access at any time.
  mutating func arrive(_ id: Int, user: UInt32 = 1001, presence: ClientPresence = .background) {
    bed.arrive(id, user: user, .asks, presence: presence)
    decide(.always(isReduced: false), for: user)
  }

  mutating func decide(_ decision: Decision, for user: UInt32 = 1001) {
    let actions = bed.decide(decision, for: user)
    for action in actions { execute(action) }
  }

  mutating func handle(_ input: AccessGate.Input) {
    for action in bed.handle(input) { execute(action) }
  }

  mutating func ask(_ request: ClientRequest, _ id: ClientID = tracker) { handle(.request(id, request)) }

  mutating func deferUpdates(
    _ call: UInt32, of stream: UInt32 = 1, distance: Double? = nil, timeout: Duration? = nil, _ id: ClientID = tracker
  ) {
    let limits = DeferralLimits(distance: distance.map { Meters($0) }, timeout: timeout)
    ask(.deferUpdates(RequestID(call), of: RequestID(stream), limits), id)
  }

  mutating func setReceiver(_ isThere: Bool) { bed.gate.hasReceiver = isThere }

  /// Sends the fix of this second to one stream, as the service does: only if it has the stream.
  mutating func send(_ stream: UInt32 = 1, _ id: ClientID = tracker) {
    guard running[id]?.contains(RequestID(stream)) == true else { return }
    let update = ServiceEvent.update(RequestID(stream), Self.fix(second), age: .zero)
    if let event = bed.gate.passing(update, to: id, at: bed.now) { take(event, id) }
    if bed.gate.isWakeDue { handle(.wake) }
  }

  /// Lets seconds pass, each with a fix for every stream of the clients.
  mutating func run(_ seconds: Int, _ ids: ClientID...) {
    for _ in 0..<seconds {
      advance(1)
      for id in ids.isEmpty ? [Self.tracker] : ids {
        for stream in (running[id] ?? []).sorted(by: { $0.rawValue < $1.rawValue }) { send(stream.rawValue, id) }
      }
    }
  }

  /// Lets time pass without fixes.
  mutating func advance(_ seconds: Int) {
    let end = bed.now + .seconds(seconds)
    while let deadline = [bed.gate.nextDeadline, bed.gate.nextPauseDeadline].compactMap(\.self).min(), deadline <= end {
      bed.now = max(bed.now, deadline)
      wakeups += 1
      handle(.wake)
    }
    bed.now = end
  }

  /// What a client has received since the last call.
  mutating func taken(_ id: ClientID = tracker) -> [Received] { received.removeValue(forKey: id) ?? [] }

  private mutating func execute(_ action: AccessGate.Action) {
    switch action {
    case .send(let id, let event): take(event, id)
    case .pass(let id, .startUpdates(let request, _)): running[id, default: []].insert(request)
    case .pass(let id, .cancel(let request)): running[id]?.remove(request)
    case .pass, .confirm, .keep, .keepSwitch, .show, .ignored, .reached: break
    }
  }

  private mutating func take(_ event: ServiceEvent, _ id: ClientID) {
    func second(_ fix: PositionFix) -> Int { Int((fix.receivedAt - Self.begin).components.seconds) }
    let short: Received =
      switch event {
      case .update(_, let fix, _): .fix(second(fix))
      case .batch(_, let batch, _): .batch(batch.fixes.map(second))
      case .done(let call): .done(call.rawValue)
      case .failed(let call, let failure): .failed(call.rawValue, failure)
      case .streamChanged(_, let change): .change(change)
      default: .other(event.request)
      }
    received[id, default: []].append(short)
  }
}
