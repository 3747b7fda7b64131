import LinuxIO
import LocationPolicy
import LocationStore

extension KeptLog {
  /// Whether a client may see and change the log: its owner, the same user's unsandboxed programs, and root. A log without
  /// an owner belongs to the user of the process that keeps it. A `nil` asker is that process itself.
  func isVisible(to asker: LogOwner?) -> Bool {
    guard let asker, asker.identity != ClientIdentity(userID: 0) else { return true }
    return asker.identity.sees(wish.owner?.identity ?? ClientIdentity(userID: ProcessEnvironment.userID))
  }
}
