import Geodesy
import WireFormats

/// Looks after a u-blox: helps it to its first fix, keeps it as clients want it while a service owns it, reads out what it
/// has learnt, and leaves it as it was.
///
/// One thing at a time, in this order: help, settings, reading out. A guest only helps. At the end the settings are put back
/// before anything else.
struct ReceiverSteward: Sendable {
  /// What is to be done, or known.
  enum Action: Hashable, Sendable {
    case write([UInt8])
    /// What helps this receiver? Answered by `help`. Without a key nothing can be kept of it.
    case recall(AssistanceKey?)
    case learnt(AssistanceData)
    /// The receiver is as it was.
    case released
  }

  /// A fix so long without a break has taught the receiver something worth keeping.
  static let timeToLearn: Duration = .seconds(30)
  /// From one reading out to the next; ephemerides change every two hours.
  static let readingInterval: Duration = .seconds(1800)
  /// On a line that is slower than this, reading out would hold up epochs for seconds: only at the end.
  static let slowestForReading = 38_400

  private let settings: ReceiverSettings
  private var identity = ReceiverIdentity()
  /// Whether it has told its version, to the end: only then is it known what it understands.
  private var isIdentified = false
  private var isTellingVersion = false
  private var wish: ReceiverWish?
  private var tenure = Tenure.staying

  /// How long it goes on.
  private enum Tenure { case staying, leaving, left }

  private var speed: Int?

  private var hasAskedForHelp = false
  private var gift: AssistanceGift?
  private var reader: AssistanceReader?
  private var lastReading: Instant?
  private var fixSince: Instant?

  private var portQuestion: PortQuestion?
  private var configurator: ReceiverConfigurator?

  init(_ settings: ReceiverSettings) {
    self.settings = settings
    wish = settings.wish
  }

  /// Whether the receiver says its accuracy because it was set to.
  var addsAccuracy: Bool { configurator.map { $0.says(.pvt) || $0.says(.posllh) } ?? false }

  /// When `wake` is due.
  var deadline: Instant? {
    [gift?.deadline, reader?.deadline, portQuestion?.deadline, configurator?.deadline].compactMap { $0 }.min()
  }

  /// What is to be put back still, should the port have to be opened anew; `nil`: nothing.
  var inheritance: InheritedSettings? {
    configurator?.inheritance(of: identity) ?? (configurator == nil ? settings.inherited : nil)
  }

  // MARK: - What happens

  /// What clients want from now on; `nil`: it belongs to no service any more, and is put back.
  mutating func want(_ wish: ReceiverWish?, at now: Instant) -> [Action] {
    self.wish = wish
    tenure = .staying
    return proceed(at: now)
  }

  /// The port is about to be closed; `.released` follows, at once or after what is still to be done.
  mutating func release(at now: Instant) -> [Action] {
    tenure = .leaving
    gift = nil
    return proceed(at: now)
  }

  /// The receiver has said who it is.
  mutating func identified(_ identity: ReceiverIdentity, speed: Int?, at now: Instant) -> [Action] {
    self.identity = identity
    self.speed = speed
    return isIdentified ? proceed(at: now) : []
  }

  /// It has begun anew and forgotten what it was told.
  mutating func receiverRestarted(at now: Instant) -> [Action] {
    configurator?.receiverRestarted()
    hasAskedForHelp = false
    fixSince = nil
    return proceed(at: now)
  }

  /// An epoch is complete.
  mutating func epochCompleted(hasFix: Bool, at now: Instant) -> [Action] {
    if isTellingVersion { isIdentified = true }
    fixSince = hasFix ? fixSince ?? now : nil
    if hasFix { gift = nil }
    if !hasFix, !hasAskedForHelp, mayWrite, isIdentified, tenure == .staying {
      hasAskedForHelp = true
      return [.recall(key)]
    }
    if hasFix, reader == nil, mayRead, tenure == .staying, isFast, isWorthReading(at: now) {
      return startReading(at: now)
    }
    return proceed(at: now)
  }

  /// What is known: of the satellites, of the time and of the place.
  mutating func help(_ help: ReceiverHelp, at now: Instant) -> [Action] {
    guard mayWrite, isIdentified, fixSince == nil, tenure == .staying else { return [] }
    let clock = help.utc.map { ($0, help.utcError) }
    let messages = language.opening(time: clock, place: help.place) + (help.data?.frames ?? [])
    gift = AssistanceGift(messages, baud: speed, at: now)
    return proceed(at: now)
  }

  mutating func heard(_ message: UBXMessage, at now: Instant) -> [Action] {
    guard mayWrite else { return [] }
    switch message {
    case .monVERSoftware, .monVERHardware, .monVERExtension:
      isTellingVersion = true
      return []
    default: if isTellingVersion { isIdentified = true }
    }
    reader?.heard(message, at: now)
    portQuestion?.heard(message)
    configurator?.heard(message)
    return proceed(at: now)
  }

  mutating func wake(at now: Instant) -> [Action] {
    reader?.wake(at: now)
    var actions: [Action] = []
    if let bytes = portQuestion?.wake(at: now), !bytes.isEmpty { actions.append(.write(bytes)) }
    if gift == nil, reader == nil || tenure == .leaving, let bytes = configurator?.wake(at: now), !bytes.isEmpty {
      actions.append(.write(bytes))
    }
    return actions + proceed(at: now)
  }

  /// Wakes a receiver that sleeps.
  static var wakeUp: [UInt8] { UBXFrame.wakeUp }

  /// What puts the receiver to sleep, for so long or until it is woken; `nil` where it is none that can.
  func sleepRequest(_ time: Duration?) -> [UInt8]? {
    guard mayWrite, isIdentified else { return nil }
    let milliseconds = time.map { UInt32(clamping: max(1, $0.wholeNanoseconds / 1_000_000)) } ?? 0
    return UBXFrame.backup(milliseconds: milliseconds, isLegacy: language == .aid)
  }

  // MARK: - What is next

  private var mayWrite: Bool { settings.mayPoll }
  private var language: AssistanceLanguage {
    AssistanceLanguage(protocolVersionHundredths: identity.protocolVersionHundredths)
  }
  private var key: AssistanceKey? { AssistanceKey(identity, hardware: settings.identity) }
  private var isFast: Bool { speed.map { $0 >= Self.slowestForReading } ?? true }
  /// Only its owner reads a receiver out: it takes seconds.
  private var mayRead: Bool { mayWrite && isIdentified && wish != nil && key != nil }

  private func isWorthReading(at now: Instant) -> Bool {
    guard let fixSince, now - fixSince >= Self.timeToLearn else { return false }
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
    if var gift {
      let bytes = gift.next(at: now)
      if !bytes.isEmpty { actions.append(.write(bytes)) }
      self.gift = gift.deadline == nil ? nil : gift
      if self.gift != nil { return actions }
    }
    if let reader, reader.isOver {
      if !reader.data.frames.isEmpty { actions.append(.learnt(reader.data)) }
      self.reader = nil
    }
    if reader != nil, tenure == .staying { return actions }
    actions += configure(at: now)
    if tenure == .leaving, configurator?.isSettled ?? true {
      // It is as it was; what it knows may take longer than anybody waits.
      if reader != nil { return actions }
      if mayRead, isWorthReading(at: now) { return actions + startReading(at: now) }
      tenure = .left
      actions.append(.released)
    }
    return actions
  }

  private mutating func configure(at now: Instant) -> [Action] {
    guard mayWrite, isIdentified else { return [] }
    if configurator == nil, let inherited = settings.inherited, inherited.belong(to: identity) {
      configurator = ReceiverConfigurator(inheriting: inherited)
    }
    if configurator == nil {
      guard wish != nil, tenure == .staying else { return [] }
      guard let question = portQuestion else {
        var question = PortQuestion(isUSB: settings.isUblox)
        let bytes = question.ask(at: now)
        portQuestion = question
        return [.write(bytes)]
      }
      guard let port = question.answer else { return [] }
      portQuestion = nil
      let version = identity.protocolVersionHundredths ?? 0
      configurator = ReceiverConfigurator(
        SettingLanguage(usesKeys: version >= SettingLanguage.firstWithKeys, port: port))
    }
    let plan = SettingPlan(protocolVersionHundredths: identity.protocolVersionHundredths, baud: speed)
    let wanted = tenure == .staying ? wish.map(plan.settings(for:)) ?? [] : []
    configurator?.want(wanted)
    guard let bytes = configurator?.advance(at: now), !bytes.isEmpty else { return [] }
    return [.write(bytes)]
  }
}
