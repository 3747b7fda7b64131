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
  /// Whether the service has its check for the end of a pause.
  var hasCheck = false
  private let openedAt: Instant
  private let end: Instant?
  /// What it monitors; `nil`: it is a request.
  private(set) var monitoring: MonitoringUses?

  /// A stream that would be waited for asks a person for so long, as one fix does (Documentation/Behavior.md, "One fix").
  private static let patience = Duration.seconds(120)

  /// `nil`: the request is for no locations.
  init?(_ request: ClientRequest, of visitor: Visitor, at now: Instant) {
    self.request = request
    openedAt = now
    let hasForeground = visitor.presence == .inUse || visitor.client.canReturn
    switch request {
    case .locate(_, let options):
      (need, conduct, end) = (.position, options.ifUndecided, now + options.timeout)
    case .startUpdates(_, let options):
      (need, conduct) = (.position, options.ifUndecided)
      end = conduct == .asks ? now + Self.patience : nil
      background = BackgroundUpdates(
        isInForeground: visitor.presence == .inUse, hasForeground: hasForeground, isAllowed: options.allowsBackground,
        isAlways: visitor.hasAlways)
      _ = background?.handle(.start)
      guard options.pausesAutomatically else { break }
      autoPause = AutoPause(
        limits: AutoPauseLimits(for: options.activity), isInForeground: visitor.presence == .inUse,
        movementResumes: !visitor.client.canReturn)
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
  init(monitoring use: MonitoringUses, at now: Instant) {
    openedAt = now
    request = .startUpdates(RequestID(UInt32(use.rawValue)), UpdateOptions(ifUndecided: .waits))
    // Borders are of no use to who is told roughly (Documentation/Behavior.md, "Regions").
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

  mutating func hear(isAlways: Bool) { _ = background?.handle(.always(isAlways)) }

  // MARK: Pauses

  var isPaused: Bool { autoPause?.isPaused ?? false }

  /// Whether positions are to be asked for, to see whether its pause is over.
  var wantsCheck: Bool { autoPause?.isLooking ?? false }

  /// Whether what the service has of it is not what it is to have.
  var isUnsettled: Bool { stage == .passed && isPaused || stage == .paused && !isPaused || wantsCheck != hasCheck }

  /// When it may have been silent for too long, or its pause is to be looked at.
  var pauseDeadline: Instant? {
    switch stage {
    case .passed, .paused: autoPause?.nextDeadline
    case .new, .waiting, .resting: nil
    }
  }

  /// The number under which the service has the check: a client counts its own from 1, and with 2³¹ of them confuses but itself.
  static func check(of request: RequestID) -> RequestID { RequestID(request.rawValue ^ 1 << 31) }

  /// The check as the service has it: Wi-Fi is asked first, and receivers are left as they are.
  var check: ClientRequest {
    var options = UpdateOptions(
      waitsForSource: true, setsReceivers: false, ifUndecided: .waits,
      sufficientRadius68: AutoPause.sufficientRadius68)
    options.isUnhurried = true
    return .startUpdates(Self.check(of: request.id), options)
  }

  /// Takes a fix of the stream, of its check, or one that others asked for; whether that changes what the service is to have.
  mutating func see(_ fix: PositionFix, at now: Instant) -> Bool {
    _ = autoPause?.handle(.fix(fix), at: now)
    return isUnsettled
  }

  /// The service has its check no more, as there is no source.
  mutating func loseCheck(at now: Instant) {
    hasCheck = false
    _ = autoPause?.handle(.lookFailed, at: now)
  }

  /// A stream that ends is replaced by one that is begun just before its end.
  private static let replacement = Duration.seconds(1)

  /// Goes on with what was seen of the outing for a stream of the same client that ends now, where this one replaces it: the client
  /// has changed what it is doing, and nothing else.
  mutating func replace(_ old: LocationUse, at now: Instant) {
    guard case .startUpdates(_, var options) = old.request, case .startUpdates(_, let own) = request,
      let seen = old.autoPause, openedAt > old.openedAt, now - openedAt < Self.replacement
    else { return }
    options.activity = own.activity
    if options == own { autoPause?.goOn(with: seen) }
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
