import Geodesy
import LocationIPC
import LocationPolicy

/// The deferral of one stream: the client's call, and the fixes that are held until they are delivered together.
struct HeldUpdates: Sendable {
  enum Outcome {
    /// The fix is delivered now.
    case pass
    case deliver(FixBatch)
    /// The call is over.
    case finish(DeferralFailure?)
  }

  /// The request that defers the updates.
  let call: RequestID
  private var machine: Deferral
  private(set) var batch = FixBatch()

  init(_ call: RequestID, isInForeground: Bool) {
    self.call = call
    machine = Deferral(isInForeground: isInForeground)
  }

  /// When `.wake` is due, in the service's time.
  var nextDeadline: Instant? { machine.nextDeadline }

  /// Handles one input; after a `.finish` there is no further input.
  mutating func handle(_ input: Deferral.Input, at now: Instant) -> [Outcome] {
    machine.handle(input, at: now).compactMap { action in
      switch action {
      case .pass: return .pass
      case .hold(let fix):
        batch.append(fix)
        return nil
      case .deliver:
        guard !batch.isEmpty else { return nil }
        defer { batch = FixBatch() }
        return .deliver(batch)
      case .finish(let failure): return .finish(failure)
      }
    }
  }
}
