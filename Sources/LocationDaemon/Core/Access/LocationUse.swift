import Geodesy
import LocationIPC
import LocationPolicy

/// A request for locations, and how far it has got through the gate.
struct LocationUse: Sendable {
  /// What its client must have.
  enum Need: Hashable {
    /// Any position, if only a coarse one.
    case position
    /// What tells exactly where the machine is, as the satellites do.
    case exactPosition
    /// All that the receivers say, whoever is served, at any time.
    case everything
  }

  enum Stage: Hashable {
    case new
    /// For a decision.
    case waiting
    /// The service does not know of it while its client is in the background.
    case resting
    /// Neither does it while updates would serve nobody.
    case paused
    /// The service has it.
    case passed
  }

  let request: ClientRequest
  let need: Need
  let conduct: UndecidedConduct
  private(set) var stage = Stage.new
  /// Why nobody is asked about it.
  var ignored: IgnoredRequest?
  /// When its client was last told a position, in the receiver's own time.
  var lastTold: Instant?
  /// Whether it goes on in the background; `nil`: it is no stream of fixes.
  private(set) var background: BackgroundUpdates?
  /// Whether it serves anybody in the background; `nil`: it is not paused.
  private var autoPause: AutoPause?
  private let end: Instant?
  /// What it monitors; `nil`: it is a request.
  private(set) var monitoring: MonitoringUses?

  /// A stream that would be waited for asks a person for so long, as one fix does (command-line.md, `fix`).
  private static let patience = Duration.seconds(120)

  /// `nil`: the request is for no locations.
  init?(_ request: ClientRequest, of visitor: Visitor, at now: Instant) {
    self.request = request
    switch request {
    case .locate(_, let options):
      (need, conduct, end) = (.position, options.ifUndecided, now + options.timeout)
    case .startUpdates(_, let options):
      (need, conduct) = (.position, options.ifUndecided)
      end = conduct == .asks ? now + Self.patience : nil
      background = BackgroundUpdates(
        isInForeground: visitor.presence == .inUse, isAllowed: options.allowsBackground,
        isAlways: visitor.authorization.level == .always)
      _ = background?.handle(.start)
      guard options.pausesAutomatically else { break }
      autoPause = AutoPause(
        limits: AutoPauseLimits(for: options.activity), isInForeground: visitor.presence == .inUse)
    case .watchSky: (need, conduct, end) = (.exactPosition, .asks, now + Self.patience)
    case .listenIn: (need, conduct, end) = (.everything, .asks, now + Self.patience)
    case .cancel, .listDevices, .trustDevice, .forgetDevice, .setOwner, .status, .log, .authorization, .wifi,
      .monitoring:
      return nil
    }
  }

  /// What is monitored, one by one.
  static let monitored: [MonitoringUses] = [.regions, .visits, .significantChanges, .notices]

  /// Something that is monitored for a list. It goes on by itself when it may.
  init(monitoring use: MonitoringUses) {
    request = .startUpdates(RequestID(UInt32(use.rawValue)), UpdateOptions(ifUndecided: .waits))
    // Borders are of no use to who is told roughly (behaviour-details.md §2.6).
    need = use.isDisjoint(with: [.regions, .notices]) ? .position : .exactPosition
    (conduct, end, monitoring) = (.waits, nil, use)
  }

  /// By when it is answered where nobody has decided.
  var deadline: Instant? { stage == .waiting ? end : nil }

  /// The request as it is handed on: with what is left of its time.
  func remaining(at now: Instant) -> ClientRequest {
    guard case .locate(let id, var options) = request, let end else { return request }
    options.timeout = max(.zero, end - now)
    return .locate(id, options)
  }

  mutating func hear(_ presence: ClientPresence, at now: Instant) {
    _ = background?.handle(.foreground(presence == .inUse))
    _ = autoPause?.handle(.foreground(presence == .inUse), at: now)
  }

  mutating func hear(_ authorization: Authorization) { _ = background?.handle(.always(authorization.level == .always)) }

  // MARK: Pauses

  var isPaused: Bool { autoPause?.isPaused ?? false }

  /// Whether the service has it, and shall have it no more.
  var isToPause: Bool { isPaused && stage == .passed }

  /// When it may have been silent for too long.
  var pauseDeadline: Instant? { stage == .passed ? autoPause?.nextDeadline : nil }

  /// Takes a fix of the stream; whether that is to pause now.
  mutating func see(_ fix: PositionFix, at now: Instant) -> Bool {
    _ = autoPause?.handle(.fix(fix), at: now)
    return isToPause
  }

  mutating func wake(at now: Instant) { _ = autoPause?.handle(.wake, at: now) }

  /// The request goes on from one stage to another: what is not with the service gives no fixes, and is not to be paused for that.
  mutating func move(to stage: Stage, at now: Instant) {
    self.stage = stage
    switch stage {
    case .passed: _ = autoPause?.handle(.start, at: now)
    case .new, .waiting, .resting: _ = autoPause?.handle(.stop, at: now)
    case .paused: break
    }
  }
}
