import Geodesy
import WireFormats

/// Manages a u-blox receiver: sends assistance data for its first fix, applies the clients' configuration while a service owns
/// it, reads out its satellite data, and restores its settings.
///
/// It does one thing at a time, in this order: assistance, settings, reading out. Without ownership it only sends assistance
/// data. On release it restores the settings before anything else.
struct UbloxController: Sendable {
  /// A request or a report to the owner.
  enum Action: Hashable, Sendable {
    case write([UInt8])
    /// Requests assistance data for this receiver; answered by `help`. Nothing is stored for a receiver without a key.
    case recall(ReceiverKey?)
    case storeAssistance(AssistanceData)
    /// Requests the settings still to be restored from an earlier session. Answered by `restore`; until then nothing is set.
    case recallSettings(ReceiverKey?)
    /// Store these settings for restoration; `nil`: nothing is left to restore.
    case persistRestore(ReceiverKey, SavedReceiverConfiguration?)
    /// The receiver's settings are restored, except for `notPutBack` settings that it did not accept; the port may be closed.
    case released(notPutBack: Int)
  }

  /// After a fix without a break for this long, the receiver's satellite data is worth storing.
  static let timeToLearn: Duration = .seconds(30)
  /// The time between two readouts; ephemerides change every two hours.
  static let readingInterval: Duration = .seconds(1800)
  /// The lowest baud rate at which data is read out during operation. On a slower line a readout would delay epochs for
  /// seconds, so the data is read out only on release.
  static let slowestForReading = 38_400

  /// Whether a service owns the receiver, or the port is about to be closed.
  private enum Ownership: Hashable {
    case guest
    case owner(ReceiverConfigurationRequest)
    case leaving(wasOwner: Bool)
    case left

    init(_ requestedConfiguration: ReceiverConfigurationRequest?) {
      self = requestedConfiguration.map(Ownership.owner) ?? .guest
    }
  }

  /// Whether the receiver has sent its complete version: only then are its supported messages known.
  private enum IdentificationState { case none, reportingVersion, made }

  /// Assistance for the first fix.
  private enum AssistanceState {
    case notAsked, asked
    case given(AssistanceUpload)
  }

  private let settings: ReceiverSettings
  private var identity = ReceiverIdentity()
  private var identification = IdentificationState.none
  private var ownership: Ownership
  private var speed: Int?
  private var help = AssistanceState.notAsked
  private var reader: AssistanceReader?
  private var lastReading: Instant?
  private var fixSince: Instant?
  private var care: SettingsController

  init(_ settings: ReceiverSettings) {
    self.settings = settings
    ownership = Ownership(settings.requestedConfiguration)
    care = SettingsController(isUSB: settings.isUblox)
  }

  /// Whether the receiver reports its accuracy because it was configured to.
  var addsAccuracy: Bool { care.addsAccuracy }

  /// When `wake` is due.
  var deadline: Instant? {
    // Settings wait for the steps before them.
    let held = isHeldUp ? nil : care.deadline
    return Instant.earlier(Instant.earlier(upload?.deadline, reader?.deadline), held)
  }

  /// The settings still to be restored if the port has to be reopened; `nil`: none.
  var pendingRestore: SavedReceiverConfiguration? { care.pendingRestore(of: identity) }

  // MARK: - Inputs

  /// Sets the requested configuration; `nil`: no service owns the receiver any longer, and its settings are restored.
  mutating func configure(_ requestedConfiguration: ReceiverConfigurationRequest?, at now: Instant) -> [Action] {
    ownership = Ownership(requestedConfiguration)
    return proceed(at: now)
  }

  /// The port is about to be closed; `.released` follows, at once or after the remaining work.
  mutating func release(at now: Instant) -> [Action] {
    ownership = .leaving(wasOwner: isOwner)
    if upload != nil { help = .asked }
    return proceed(at: now)
  }

  /// The receiver has identified itself.
  mutating func identified(_ identity: ReceiverIdentity, speed: Int?, at now: Instant) -> [Action] {
    self.identity = identity
    self.speed = speed
    return mayWrite ? proceed(at: now) : []
  }

  /// The receiver has restarted and lost its volatile settings.
  mutating func receiverRestarted(at now: Instant) -> [Action] {
    care.receiverRestarted()
    help = .notAsked
    fixSince = nil
    return proceed(at: now)
  }

  /// An epoch is complete.
  mutating func epochCompleted(hasFix: Bool, at now: Instant) -> [Action] {
    if identification == .reportingVersion { identification = .made }
    fixSince = hasFix ? fixSince ?? now : nil
    if hasFix, upload != nil { help = .asked }
    if !hasFix, case .notAsked = help, mayWrite, isStaying {
      help = .asked
      return [.recall(key)]
    }
    if hasFix, isStaying, isFast, care.isSettled, isWorthReading(at: now) { return startReading(at: now) }
    return proceed(at: now)
  }

  /// Handles assistance data: satellite data, time and position.
  mutating func help(_ known: ReceiverAssistance, at now: Instant) -> [Action] {
    guard mayWrite, fixSince == nil, isStaying else { return [] }
    let clock = known.utc.map { ($0, known.utcError) }
    let messages = language.opening(time: clock, place: known.place) + (known.data?.frames ?? [])
    help = .given(AssistanceUpload(messages, baud: speed, at: now))
    return proceed(at: now)
  }

  /// The settings that an earlier session has left to be restored.
  mutating func restore(_ settings: SavedReceiverConfiguration?, at now: Instant) -> [Action] {
    care.restore(settings, by: identity)
    return proceed(at: now)
  }

  mutating func received(_ message: UBXMessage, at now: Instant) -> [Action] {
    guard settings.mayPoll else { return [] }
    switch message {
    case .monVERSoftware, .monVERHardware, .monVERExtension:
      identification = .reportingVersion
      return []
    default: if identification == .reportingVersion { identification = .made }
    }
    reader?.received(message, at: now)
    care.received(message)
    return proceed(at: now)
  }

  mutating func wake(at now: Instant) -> [Action] {
    reader?.wake(at: now)
    return proceed(at: now)
  }

  /// The message that wakes a sleeping receiver.
  static var wakeUp: [UInt8] { UBXFrame.wakeUp }

  /// The message that puts the receiver to sleep for this time, or until it is woken (`nil`). Returns `nil` if nothing
  /// may be written to the receiver, or if it has not reported its version.
  func sleepRequest(_ time: Duration?) -> [UInt8]? {
    guard mayWrite else { return nil }
    let milliseconds = time.map { UInt32(clamping: max(1, $0.wholeNanoseconds / 1_000_000)) } ?? 0
    return UBXFrame.backup(milliseconds: milliseconds, isLegacy: language == .aid)
  }

  // MARK: - The next step

  private var mayWrite: Bool { settings.mayPoll && identification == .made }
  private var language: AssistanceProtocol {
    AssistanceProtocol(protocolVersionHundredths: identity.protocolVersionHundredths)
  }
  private var key: ReceiverKey? { ReceiverKey(identity, hardware: settings.identity) }
  private var isFast: Bool { speed.map { $0 >= Self.slowestForReading } ?? true }
  private var upload: AssistanceUpload? { if case .given(let upload) = help { upload } else { nil } }
  private var requestedConfiguration: ReceiverConfigurationRequest? {
    if case .owner(let requestedConfiguration) = ownership { requestedConfiguration } else { nil }
  }

  private var isStaying: Bool {
    switch ownership {
    case .guest, .owner: true
    case .leaving, .left: false
    }
  }
  private var isOwner: Bool {
    switch ownership {
    case .owner, .leaving(wasOwner: true): true
    case .guest, .leaving(wasOwner: false), .left: false
    }
  }
  private var isHeldUp: Bool { upload != nil || reader != nil && isStaying }

  /// Whether a readout is allowed and due. Only a service that owns the receiver reads out its data, because that takes
  /// seconds.
  private func isWorthReading(at now: Instant) -> Bool {
    guard reader == nil, mayWrite, isOwner, key != nil, let fixSince, now - fixSince >= Self.timeToLearn else {
      return false
    }
    return lastReading.map { now - $0 >= Self.readingInterval } ?? true
  }

  private mutating func startReading(at now: Instant) -> [Action] {
    guard let key else { return [] }
    lastReading = now
    reader = AssistanceReader(language, key, at: now)
    return [.write(language.poll)]
  }

  private mutating func proceed(at now: Instant) -> [Action] {
    var actions: [Action] = []
    if case .given(var upload) = help {
      let bytes = upload.next(at: now)
      if !bytes.isEmpty { actions.append(.write(bytes)) }
      help = upload.deadline == nil ? .asked : .given(upload)
    }
    if upload == nil, let reader, reader.isOver {
      if !reader.data.frames.isEmpty { actions.append(.storeAssistance(reader.data)) }
      self.reader = nil
    }
    guard !isHeldUp else { return actions }
    if mayWrite { actions += careForSettings(at: now) }
    guard case .leaving = ownership, care.isSettled else { return actions }
    // The settings are restored first, because reading out the data may take longer than the caller waits.
    if reader != nil { return actions }
    if isWorthReading(at: now) { return actions + startReading(at: now) }
    ownership = .left
    return actions + [.released(notPutBack: care.strandedCount)]
  }

  private mutating func careForSettings(at now: Instant) -> [Action] {
    care.advance(requestedConfiguration, of: identity, speed: speed, at: now).compactMap { action in
      switch action {
      case .write(let bytes): .write(bytes)
      case .recall: .recallSettings(key)
      case .persistRestore(let settings): key.map { .persistRestore($0, settings) }
      }
    }
  }
}
