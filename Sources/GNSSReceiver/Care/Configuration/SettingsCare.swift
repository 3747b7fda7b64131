import Geodesy
import WireFormats

/// Manages the settings of a receiver that a service owns: finds out the receiver's port, takes over the pending restore of an
/// earlier session, then applies the requested configuration. Every change is reported before it is written to the receiver, so
/// that it can be stored first.
struct SettingsCare: Sendable {
  /// What the owner has to do or to know.
  enum Action: Hashable, Sendable {
    case write([UInt8])
    /// Requests the settings still to be restored from an earlier session. Answered by `inherit`; until then nothing is set.
    case recall
    /// Store these settings for restoration; `nil`: nothing is left to restore.
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
  /// The settings reported last, and the configurator's `changes` at that time.
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

  /// Whether the receiver reports its accuracy because it was configured to.
  var addsAccuracy: Bool { configurator.map { $0.says(.pvt) || $0.says(.posllh) } ?? false }
  /// Whether no change is in progress.
  var isSettled: Bool { configurator?.isSettled ?? true }
  /// Number of settings that still differ from their original value although no client requests that.
  var strandedCount: Int { configurator?.strandedCount ?? 0 }

  /// The settings still to be restored.
  func inheritance(of owner: ReceiverIdentity) -> InheritedSettings? { configurator?.inheritance(of: owner) }

  mutating func heard(_ message: UBXMessage) {
    switch state {
    case .untouched, .recalling: break
    case .asking(var question):
      question.heard(message)
      state = .asking(question)
    case .arranged(var configurator):
      // Releases the copy in `state`, so that the configurator is modified in place.
      state = .untouched
      configurator.heard(message)
      state = .arranged(configurator)
    }
  }

  /// The receiver has lost its volatile settings.
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

  /// Returns the next actions. `wish`: the requested configuration; `nil`: restore the settings.
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
