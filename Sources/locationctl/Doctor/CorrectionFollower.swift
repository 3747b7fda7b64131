import Geodesy
import LocationIPC

/// Follows the state of the daemon's corrections while receivers are examined: there are corrections only while a receiver is open.
///
/// The session of an examination is one with a service in this process; therefore each state is requested from the daemon separately.
final class CorrectionFollower {
  private static let interval: Duration = .seconds(1)
  /// Time in which a receiver identifies itself; until then, it is unknown whether it can use corrections.
  private static let identification: Duration = .seconds(5)

  private let session: CommandSession
  private(set) var status: CorrectionStatus
  private var startedAt: Instant?

  /// - Parameter status: the state before the examination.
  init(_ session: CommandSession, _ status: CorrectionStatus) {
    self.session = session
    self.status = status
  }

  func start() {
    startedAt = session.now
    wait()
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

  private func wait() {
    session.setTimer(after: Self.interval) { [weak self] in
      guard let self else { return }
      if let corrections = ServiceStatus.ofDaemon?.corrections { status = corrections }
      if !isSettled { wait() }
    }
  }
}
