import LocationIPC
import LocationPolicy
import LocationdClient

extension ServiceStatus {
  /// The daemon's status; `nil` if no daemon answers or it gives this user no status.
  static var ofDaemon: ServiceStatus? {
    var found: ServiceStatus?
    let usage = DeclaredUsage(whenInUse: "to find out what is wrong", always: nil)
    guard let daemon = try? RemoteHost(name: "locationctl", usage: usage) else { return nil }
    daemon.onEvent = { [unowned daemon] in
      if case .status(_, let status) = $0 { found = status }
      daemon.stop()
    }
    daemon.onSignal = { [unowned daemon] _ in daemon.stop() }
    daemon.setTimer(after: .seconds(2)) { [unowned daemon] in daemon.stop() }
    daemon.send(.status(RequestID(1)))
    _ = try? daemon.run()
    return found
  }
}
