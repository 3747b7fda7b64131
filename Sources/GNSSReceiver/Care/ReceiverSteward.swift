import Geodesy
import WireFormats

/// Manages a u-blox receiver: sends assistance data for its first fix, applies the clients' configuration while a service owns
/// it, reads out its satellite data, and restores its settings.
///
/// It does one thing at a time, in this order: assistance, settings, reading out. Without ownership it only sends assistance
/// data. On release it restores the settings before anything else.
struct ReceiverSteward: Sendable {
  /// What the owner has to do or to know.
  enum Action: Hashable, Sendable {
    case write([UInt8])
    /// Requests assistance data for this receiver; answered by `help`. Nothing is stored for a receiver without a key.
    case recall(ReceiverKey?)
    case learnt(AssistanceData)
    /// Requests the settings still to be restored from an earlier session. Answered by `inherit`; until then nothing is set.
    case recallSettings(ReceiverKey?)
    /// Store these settings for restoration; `nil`: nothing is left to restore.
    case owe(ReceiverKey, InheritedSettings?)
    /// The receiver's settings are restored, except for `notPutBack` of them.
    case released(notPutBack: Int)
  }

  /// After a fix without a break for this long, the receiver's satellite data is worth storing.
  static let timeToLearn: Duration = .seconds(30)
  /// The time from one reading out to the next; ephemerides change every two hours.
  static let readingInterval: Duration = .seconds(1800)
  /// On a slower line (baud) reading out would delay epochs for seconds: then it is done only on release.
  static let slowestForReading = 38_400

  /// Whether a service owns the receiver, or the port is about to be closed.
  private enum Tenure: Hashable {
    case guest
    case owner(ReceiverWish)
    case leaving(wasOwner: Bool)
    case left

    init(_ wish: ReceiverWish?) { self = wish.map(Tenure.owner) ?? .guest }
  }

  /// Whether the receiver has sent its complete version: only then are its supported messages known.
  private enum Acquaintance { case none, tellingVersion, made }

  /// Assistance for the first fix.
  private enum Help {
    case notAsked, asked
    case given(AssistanceGift)
  }

  private let settings: ReceiverSettings
  private var identity = ReceiverIdentity()
  private var acquaintance = Acquaintance.none
  private var tenure: Tenure
  private var speed: Int?
  private var help = Help.notAsked
  private var reader: AssistanceReader?
  private var lastReading: Instant?
  private var fixSince: Instant?
  private var care: SettingsCare

  init(_ settings: ReceiverSettings) {
    self.settings = settings
    tenure = Tenure(settings.wish)
    care = SettingsCare(isUSB: settings.isUblox)
  }

  /// Whether the receiver reports its accuracy because it was configured to.
  var addsAccuracy: Bool { care.addsAccuracy }

  /// When `wake` is due.
  var deadline: Instant? {
    // Settings wait for the steps before them.
    let held = isHeldUp ? nil : care.deadline
    return Self.earlier(Self.earlier(gift?.deadline, reader?.deadline), held)
  }

  private static func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }

  /// The settings still to be restored if the port has to be reopened; `nil`: none.
  var inheritance: InheritedSettings? { care.inheritance(of: identity) }

  // MARK: - What happens

  /// Sets the requested configuration; `nil`: no service owns the receiver any longer, and its settings are restored.
  mutating func want(_ wish: ReceiverWish?, at now: Instant) -> [Action] {
    tenure = Tenure(wish)
    return proceed(at: now)
  }

  /// The port is about to be closed; `.released` follows, at once or after the remaining work.
  mutating func release(at now: Instant) -> [Action] {
    tenure = .leaving(wasOwner: isOwner)
    if gift != nil { help = .asked }
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
    if acquaintance == .tellingVersion { acquaintance = .made }
    fixSince = hasFix ? fixSince ?? now : nil
    if hasFix, gift != nil { help = .asked }
    if !hasFix, case .notAsked = help, mayWrite, isStaying {
      help = .asked
      return [.recall(key)]
    }
    if hasFix, isStaying, isFast, care.isSettled, isWorthReading(at: now) { return startReading(at: now) }
    return proceed(at: now)
  }

  /// Handles assistance data: satellite data, time and position.
  mutating func help(_ known: ReceiverHelp, at now: Instant) -> [Action] {
    guard mayWrite, fixSince == nil, isStaying else { return [] }
    let clock = known.utc.map { ($0, known.utcError) }
    let messages = language.opening(time: clock, place: known.place) + (known.data?.frames ?? [])
    help = .given(AssistanceGift(messages, baud: speed, at: now))
    return proceed(at: now)
  }

  /// The settings that an earlier session has left to be restored.
  mutating func inherit(_ settings: InheritedSettings?, at now: Instant) -> [Action] {
    care.inherit(settings, by: identity)
    return proceed(at: now)
  }

  mutating func heard(_ message: UBXMessage, at now: Instant) -> [Action] {
    guard settings.mayPoll else { return [] }
    switch message {
    case .monVERSoftware, .monVERHardware, .monVERExtension:
      acquaintance = .tellingVersion
      return []
    default: if acquaintance == .tellingVersion { acquaintance = .made }
    }
    reader?.heard(message, at: now)
    care.heard(message)
    return proceed(at: now)
  }

  mutating func wake(at now: Instant) -> [Action] {
    reader?.wake(at: now)
    return proceed(at: now)
  }

  /// The message that wakes a sleeping receiver.
  static var wakeUp: [UInt8] { UBXFrame.wakeUp }

  /// The message that puts the receiver to sleep for this time, or until it is woken (`nil`). Returns `nil` if the receiver
  /// cannot sleep.
  func sleepRequest(_ time: Duration?) -> [UInt8]? {
    guard mayWrite else { return nil }
    let milliseconds = time.map { UInt32(clamping: max(1, $0.wholeNanoseconds / 1_000_000)) } ?? 0
    return UBXFrame.backup(milliseconds: milliseconds, isLegacy: language == .aid)
  }

  // MARK: - What is next

  private var mayWrite: Bool { settings.mayPoll && acquaintance == .made }
  private var language: AssistanceLanguage {
    AssistanceLanguage(protocolVersionHundredths: identity.protocolVersionHundredths)
  }
  private var key: ReceiverKey? { ReceiverKey(identity, hardware: settings.identity) }
  private var isFast: Bool { speed.map { $0 >= Self.slowestForReading } ?? true }
  private var gift: AssistanceGift? { if case .given(let gift) = help { gift } else { nil } }
  private var wish: ReceiverWish? { if case .owner(let wish) = tenure { wish } else { nil } }

  private var isStaying: Bool {
    switch tenure {
    case .guest, .owner: true
    case .leaving, .left: false
    }
  }
  private var isOwner: Bool {
    switch tenure {
    case .owner, .leaving(wasOwner: true): true
    case .guest, .leaving(wasOwner: false), .left: false
    }
  }
  private var isHeldUp: Bool { gift != nil || reader != nil && isStaying }

  /// Only a receiver's owner reads it out: it takes seconds.
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
    if case .given(var gift) = help {
      let bytes = gift.next(at: now)
      if !bytes.isEmpty { actions.append(.write(bytes)) }
      help = gift.deadline == nil ? .asked : .given(gift)
    }
    if gift == nil, let reader, reader.isOver {
      if !reader.data.frames.isEmpty { actions.append(.learnt(reader.data)) }
      self.reader = nil
    }
    guard !isHeldUp else { return actions }
    if mayWrite { actions += careForSettings(at: now) }
    guard case .leaving = tenure, care.isSettled else { return actions }
    // The settings are restored; the remaining data may take longer to read than the caller waits.
    if reader != nil { return actions }
    if isWorthReading(at: now) { return actions + startReading(at: now) }
    tenure = .left
    return actions + [.released(notPutBack: care.strandedCount)]
  }

  private mutating func careForSettings(at now: Instant) -> [Action] {
    care.advance(wish, of: identity, speed: speed, at: now).compactMap { action in
      switch action {
      case .write(let bytes): .write(bytes)
      case .recall: .recallSettings(key)
      case .owe(let settings): key.map { .owe($0, settings) }
      }
    }
  }
}
