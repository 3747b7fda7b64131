import Geodesy
import WireFormats

/// Sees to the settings of a receiver that is a service's own: asks which port this is, takes over what is still to be put
/// back from before, then has them as they are wanted. What is written to the receiver is told before, to be written down.
struct SettingsCare: Sendable {
  /// What is to be done, or known.
  enum Action: Hashable, Sendable {
    case write([UInt8])
    /// What is to be put back from before? Answered by `inherit`; until then nothing is set.
    case recall
    /// This is to be put back from now on; `nil`: nothing.
    case owe(InheritedSettings?)
  }

  private enum State {
    case untouched
    case asking(PortQuestion)
    case recalling(SettingLanguage)
    case arranged(ReceiverConfigurator)
  }

  private let isUSB: Bool
  private var state = State.untouched
  /// What was told last, and as of which of the configurator's changes.
  private var told: InheritedSettings?
  private var toldChanges = 0

  /// `isUSB`: the receiver itself is the USB device.
  init(isUSB: Bool) { self.isUSB = isUSB }

  /// When `wake` is due.
  var deadline: Instant? {
    switch state {
    case .untouched, .recalling: nil
    case .asking(let question): question.deadline
    case .arranged(let configurator): configurator.deadline
    }
  }

  private var configurator: ReceiverConfigurator? { if case .arranged(let all) = state { all } else { nil } }

  /// Whether the receiver says its accuracy because it was set to.
  var addsAccuracy: Bool { configurator.map { $0.says(.pvt) || $0.says(.posllh) } ?? false }
  /// Whether nothing is under way.
  var isSettled: Bool { configurator?.isSettled ?? true }
  /// Settings that nobody wants and that are not what they were.
  var strandedCount: Int { configurator?.strandedCount ?? 0 }

  /// What is to be put back still.
  func inheritance(of owner: ReceiverIdentity) -> InheritedSettings? { configurator?.inheritance(of: owner) }

  mutating func heard(_ message: UBXMessage) {
    switch state {
    case .untouched, .recalling: break
    case .asking(var question):
      question.heard(message)
      state = .asking(question)
    case .arranged(var configurator):
      // Not held twice while it changes.
      state = .untouched
      configurator.heard(message)
      state = .arranged(configurator)
    }
  }

  /// The receiver has forgotten what it was told.
  mutating func receiverRestarted() {
    switch state {
    case .untouched: break
    case .asking, .recalling: state = .untouched
    case .arranged(var configurator):
      configurator.receiverRestarted()
      state = .arranged(configurator)
    }
  }

  /// The answer to `.recall`.
  mutating func inherit(_ settings: InheritedSettings?, by identity: ReceiverIdentity) {
    guard case .recalling(let language) = state else { return }
    guard let settings, settings.belong(to: identity, language) else {
      state = .arranged(ReceiverConfigurator(language))
      return
    }
    state = .arranged(ReceiverConfigurator(inheriting: settings))
    told = settings
  }

  /// What is next. `wish`: how it is wanted; `nil`: as it was.
  mutating func advance(_ wish: ReceiverWish?, of identity: ReceiverIdentity, speed: Int?, at now: Instant) -> [Action]
  {
    let version = identity.protocolVersionHundredths
    switch state {
    case .untouched:
      guard wish != nil else { return [] }
      var question = PortQuestion(isUSB: isUSB)
      let bytes = question.ask(at: now)
      state = .asking(question)
      return [.write(bytes)]
    case .asking(var question):
      guard wish != nil else {
        state = .untouched
        return []
      }
      let bytes = question.wake(at: now)
      state = .asking(question)
      guard let port = question.answer else { return bytes.isEmpty ? [] : [.write(bytes)] }
      state = .recalling(
        SettingLanguage(usesKeys: (version ?? 0) >= SettingLanguage.firstWithKeys, port: port))
      return [.recall]
    case .recalling: return []
    case .arranged(var configurator):
      let plan = SettingPlan(protocolVersionHundredths: version, baud: speed)
      configurator.want(wish.map(plan.settings(for:)) ?? [])
      let bytes = configurator.wake(at: now)
      state = .arranged(configurator)
      return owe(configurator, identity) + (bytes.isEmpty ? [] : [.write(bytes)])
    }
  }

  private mutating func owe(_ configurator: ReceiverConfigurator, _ identity: ReceiverIdentity) -> [Action] {
    guard configurator.changes != toldChanges else { return [] }
    toldChanges = configurator.changes
    let owed = configurator.inheritance(of: identity)
    if let owed, let told, told.covers(owed) { return [] }
    guard owed != told else { return [] }
    told = owed
    return [.owe(owed)]
  }
}
