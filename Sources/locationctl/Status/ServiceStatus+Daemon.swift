import LocationIPC
import LocationPolicy
import LocationdClient

extension ServiceStatus {
  /// The daemon's status; `nil` if no daemon answers, or this user has no access to the status.
  static var ofDaemon: ServiceStatus? {
    let usage = DeclaredUsage(whenInUse: "to find out what is wrong", always: nil)
    guard let daemon = try? RemoteHost(name: "locationctl", usage: usage) else { return nil }
    let probe = StatusProbe(CommandSession(daemon))
    _ = probe.run()
    return probe.found
  }
}

/// Requests the status for another command, which continues without it on failure; therefore this class prints nothing.
private final class StatusProbe: CommandHandler {
  private static let timeout: Duration = .seconds(2)

  let session: CommandSession
  private(set) var found: ServiceStatus?

  init(_ session: CommandSession) { self.session = session }

  func start() {
    session.setTimer(after: Self.timeout) { [unowned self] in session.finish(.done) }
    session.send(.status, for: self)
  }

  func receive(_ status: ServiceStatus, to request: RequestID) {
    found = status
    session.finish(.done)
  }

  func receive(_ failure: LocationFailure, of request: RequestID) { session.finish(.done) }
}
