import Geodesy
import LocationIPC
import LocationPolicy

/// A request for locations, and its progress through the gate.
struct LocationUse: Sendable {
  /// The access that the client needs.
  enum Need: Hashable {
    /// Any position, even a coarse one.
    case position
    /// Data that reveals the exact position, such as the satellites.
    case exactPosition
    /// Everything that the receivers send, at any time and for any client.
    case everything
  }

  enum Stage: Hashable {
    case new
    /// Waits for a decision.
    case waiting
    /// Withheld from the service while its client is in the background.
    case resting
    /// Withheld from the service while updates would be of no use.
    case paused
    /// Passed on to the service.
    case passed
  }

  let request: ClientRequest
  let need: Need
  let notDeterminedPolicy: NotDeterminedPolicy
  private(set) var stage = Stage.new
  /// Why no prompt is shown for it.
  var ignored: IgnoredRequest?
  /// `receivedAt` of the reduced position that was last sent to its client; `nil`: none was.
  var lastReported: Instant?
  /// Decides whether it continues in the background; `nil`: it is not a stream of fixes.
  private(set) var background: BackgroundUpdates?
  /// The fixes that are held, and when they are delivered; `nil`: its updates are not deferred.
  var held: HeldUpdates?
  /// Decides when its updates pause automatically; `nil`: they never do.
  private var autoPause: AutoPause?
  /// Whether the service runs the check for the end of its pause.
  var hasCheck = false
  private let openedAt: Instant
  private let end: Instant?
  /// What it monitors; `nil`: it is a client's own request.
  private(set) var monitoring: MonitoringUses?

  /// How long a stream waits for the user's answer to a prompt, the same as for one fix (Documentation/Behavior.md, "One fix").
  private static let patience = Duration.seconds(120)

  /// `nil`: the request is not for locations.
  init?(_ request: ClientRequest, of gatedClient: GatedClient, at now: Instant) {
    self.request = request
    openedAt = now
    let hasForeground = gatedClient.presence == .inUse || gatedClient.client.canReturn
    switch request {
    case .locate(_, let options):
      (need, notDeterminedPolicy, end) = (.position, options.whenNotDetermined, now + options.timeout)
    case .startUpdates(_, let options):
      (need, notDeterminedPolicy) = (.position, options.whenNotDetermined)
      end = notDeterminedPolicy == .asks ? now + Self.patience : nil
      background = BackgroundUpdates(
        isInForeground: gatedClient.presence == .inUse, hasForeground: hasForeground,
        isAllowed: options.allowsBackground,
        isAlways: gatedClient.hasAlways)
      _ = background?.handle(.start)
      guard options.pausesAutomatically else { break }
      autoPause = AutoPause(
        limits: AutoPauseLimits(for: options.activity), isInForeground: gatedClient.presence == .inUse,
        movementResumes: !gatedClient.client.canReturn)
    case .watchSky: (need, notDeterminedPolicy, end) = (.exactPosition, .asks, now + Self.patience)
    case .listenIn: (need, notDeterminedPolicy, end) = (.everything, .asks, now + Self.patience)
    case .cancel, .listDevices, .trustDevice, .forgetDevice, .setOwner, .status, .log, .authorization, .wifi,
      .monitoring, .time, .fleet, .places, .deferUpdates:
      return nil
    }
  }

  /// The monitoring uses, one by one.
  static let monitored: [MonitoringUses] = [.regions, .visits, .significantChanges, .notifications]

  /// A use that is monitored for a list. It starts by itself once the client has access.
  init(monitoring use: MonitoringUses, at now: Instant) {
    openedAt = now
    request = .startUpdates(RequestID(UInt32(use.rawValue)), UpdateOptions(whenNotDetermined: .waits))
    // Region borders are useless with reduced accuracy (Documentation/Behavior.md, "Regions").
    need = use.isDisjoint(with: [.regions, .notifications]) ? .position : .exactPosition
    (notDeterminedPolicy, end, monitoring) = (.waits, nil, use)
  }

  /// The options of a client's stream of fixes; `nil`: it is another request.
  var updateOptions: UpdateOptions? {
    guard monitoring == nil, case .startUpdates(_, let options) = request else { return nil }
    return options
  }

  /// When a waiting request is answered even without a decision.
  var deadline: Instant? { stage == .waiting ? end : nil }

  /// The request as it is passed on, with its remaining time.
  func remaining(at now: Instant) -> ClientRequest {
    guard case .locate(let id, var options) = request, let end else { return request }
    options.timeout = max(.zero, end - now)
    return .locate(id, options)
  }

  mutating func receive(_ presence: ClientPresence, at now: Instant) {
    _ = background?.handle(.foreground(presence == .inUse))
    _ = autoPause?.handle(.foreground(presence == .inUse), at: now)
  }

  mutating func receive(isAlways: Bool) { _ = background?.handle(.always(isAlways)) }

  // MARK: Pauses

  var isPaused: Bool { autoPause?.isPaused ?? false }

  /// Whether the service must request positions to check whether the pause is over.
  var wantsCheck: Bool { autoPause?.isCheckingPosition ?? false }

  /// Whether the service must stop or resume the request, or start or stop the check for the end of its pause.
  var isUnsettled: Bool { stage == .passed && isPaused || stage == .paused && !isPaused || wantsCheck != hasCheck }

  /// When the request may have been without a fix for too long, when its pause must be checked, or when its updates have been deferred
  /// for as long as the client wants.
  var pauseDeadline: Instant? {
    switch stage {
    case .passed, .paused: Instant.earlier(autoPause?.nextDeadline, held?.nextDeadline)
    case .new, .waiting, .resting: held?.nextDeadline
    }
  }

  /// The number under which the service has the check. A client counts its requests from 1; one that reaches 2³¹ confuses only
  /// itself.
  static func check(of request: RequestID) -> RequestID { RequestID(request.rawValue ^ 1 << 31) }

  /// The check as the service receives it: Wi-Fi is tried first, and receivers keep their settings.
  var check: ClientRequest {
    var options = UpdateOptions(
      waitsForSource: true, setsReceivers: false, whenNotDetermined: .waits,
      sufficientRadius68: AutoPause.sufficientRadius68)
    options.isUnhurried = true
    return .startUpdates(Self.check(of: request.id), options)
  }

  /// Handles a fix of the request's stream, of its check, or one that another client requested. Returns whether the
  /// service must now stop or resume the request or its check (`isUnsettled`).
  mutating func receive(_ fix: PositionFix, at now: Instant) -> Bool {
    _ = autoPause?.handle(.fix(fix), at: now)
    return isUnsettled
  }

  /// The service has dropped the check because there is no source.
  mutating func loseCheck(at now: Instant) {
    hasCheck = false
    _ = autoPause?.handle(.positionCheckFailed, at: now)
  }

  /// A stream replaces another if it starts at most this long before the other ends.
  private static let replacement = Duration.seconds(1)

  /// Takes over the pause state of `old`, a stream of the same client that ends now, if this stream replaces it: the client changed
  /// its activity and nothing else.
  mutating func replace(_ old: LocationUse, at now: Instant) {
    guard case .startUpdates(_, var options) = old.request, case .startUpdates(_, let own) = request,
      let seen = old.autoPause, openedAt > old.openedAt, now - openedAt < Self.replacement
    else { return }
    options.activity = own.activity
    if options == own { autoPause?.merge(with: seen) }
  }

  mutating func wake(at now: Instant) { _ = autoPause?.handle(.wake, at: now) }

  /// Moves the request to another stage. A request that the service does not have gets no fixes, and must not be paused for that.
  mutating func move(to stage: Stage, at now: Instant) {
    self.stage = stage
    switch stage {
    case .passed: _ = autoPause?.handle(.start, at: now)
    case .new, .waiting, .resting: _ = autoPause?.handle(.stop, at: now)
    case .paused: break
    }
  }
}
