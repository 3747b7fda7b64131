import Geodesy
import WireFormats

/// Manages the settings of a receiver that a service owns: finds out the receiver's port, takes over the pending restore of an
/// earlier session, then applies the requested configuration. Every change is reported before it is written to the receiver, so
/// that it can be stored first.
struct SettingsController: Sendable {
  /// A request or a report to the owner.
  enum Action: Hashable, Sendable {
    case write([UInt8])
    /// Requests the settings still to be restored from an earlier session. Answered by `restore`; until then nothing is set.
    case recall
    /// Store these settings for restoration; `nil`: nothing is left to restore.
    case persistRestore(SavedReceiverConfiguration?)
  }

  private enum State {
    case untouched
    case asking(PortIdentification)
    case recalling(SettingProtocol)
    case arranged(ReceiverConfigurator)
  }

  private let isUSB: Bool
  private var state = State.untouched
  /// The settings reported last, and the configurator's `changes` at that time.
  private var reported: SavedReceiverConfiguration?
  private var reportedChanges = 0

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
  var addsAccuracy: Bool { configurator.map { $0.hasEnabled(.pvt) || $0.hasEnabled(.posllh) } ?? false }
  /// Whether no change is in progress.
  var isSettled: Bool { configurator?.isSettled ?? true }
  /// Number of settings that still differ from their original value although no client requests that.
  var strandedCount: Int { configurator?.strandedCount ?? 0 }

  /// The settings still to be restored.
  func pendingRestore(of owner: ReceiverIdentity) -> SavedReceiverConfiguration? {
    configurator?.pendingRestore(of: owner)
  }

  mutating func received(_ message: UBXMessage) {
    switch state {
    case .untouched, .recalling: break
    case .asking(var question):
      question.received(message)
      state = .asking(question)
    case .arranged(var configurator):
      // Releases the copy in `state`, so that the configurator is modified in place.
      state = .untouched
      configurator.received(message)
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
  mutating func restore(_ settings: SavedReceiverConfiguration?, by identity: ReceiverIdentity) {
    guard case .recalling(let language) = state else { return }
    guard let settings, settings.belong(to: identity, language) else {
      state = .arranged(ReceiverConfigurator(language))
      return
    }
    state = .arranged(ReceiverConfigurator(inheriting: settings))
    reported = settings
  }

  /// Returns the next actions. If `requestedConfiguration` is `nil`, they restore the settings.
  mutating func advance(
    _ requestedConfiguration: ReceiverConfigurationRequest?, of identity: ReceiverIdentity, speed: Int?, at now: Instant
  ) -> [Action] {
    let version = identity.protocolVersionHundredths
    switch state {
    case .untouched:
      guard requestedConfiguration != nil else { return [] }
      var question = PortIdentification(isUSB: isUSB)
      let bytes = question.ask(at: now)
      state = .asking(question)
      return [.write(bytes)]
    case .asking(var question):
      guard requestedConfiguration != nil else {
        state = .untouched
        return []
      }
      let bytes = question.wake(at: now)
      state = .asking(question)
      guard let port = question.answer else { return bytes.isEmpty ? [] : [.write(bytes)] }
      state = .recalling(
        SettingProtocol(usesKeys: (version ?? 0) >= SettingProtocol.firstWithKeys, port: port))
      return [.recall]
    case .recalling: return []
    case .arranged(var configurator):
      let plan = SettingPlan(
        protocolVersionHundredths: version, baud: speed, takesCorrections: identity.takesCorrections)
      configurator.configure(requestedConfiguration.map(plan.settings(for:)) ?? [])
      let bytes = configurator.wake(at: now)
      state = .arranged(configurator)
      return persistRestore(configurator, identity) + (bytes.isEmpty ? [] : [.write(bytes)])
    }
  }

  private mutating func persistRestore(_ configurator: ReceiverConfigurator, _ identity: ReceiverIdentity) -> [Action] {
    guard configurator.changes != reportedChanges else { return [] }
    reportedChanges = configurator.changes
    let pendingDeliveries = configurator.pendingRestore(of: identity)
    if let pendingDeliveries, let reported, reported.covers(pendingDeliveries) { return [] }
    guard pendingDeliveries != reported else { return [] }
    reported = pendingDeliveries
    return [.persistRestore(pendingDeliveries)]
  }
}
