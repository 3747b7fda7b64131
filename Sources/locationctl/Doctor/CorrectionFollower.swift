import Geodesy
import LocationIPC
import LocationdService

/// Follows the state of the corrections while receivers are examined: there are corrections only while a receiver is open.
final class CorrectionFollower: CommandHandler {
  private static let request = RequestID(2_000_002)
  private static let interval: Duration = .seconds(1)
  /// Time in which a receiver identifies itself; until then, it is unknown whether it can use corrections.
  private static let identification: Duration = .seconds(5)

  let session: CommandSession
  private(set) var status: CorrectionStatus
  private var startedAt: Instant?

  init(_ session: CommandSession, _ status: CorrectionStatus) {
    self.session = session
    self.status = status
  }

  func start() {
    startedAt = session.now
    ask()
  }

  /// Whether the state says what is wrong, or that all is well.
  var isSettled: Bool {
    if status.problem != nil { return true }
    switch status.state {
    case .idle: return startedAt.map { session.now - $0 >= Self.identification } ?? false
    case .streaming: return status.age.map { $0 <= CorrectionStatus.longestAge } ?? false
    case .stopped: return true
    case .waitingForPosition, .connecting, .waiting, .pausing: return false
    }
  }

  private func ask() { session.send(.status, as: Self.request, for: self) }

  func receive(_ status: ServiceStatus, to request: RequestID) {
    if let corrections = status.corrections { self.status = corrections }
    session.setTimer(after: Self.interval) { [weak self] in self?.ask() }
  }

  /// The state that was received before counts.
  func receive(_ failure: LocationFailure, of request: RequestID) {}
}
