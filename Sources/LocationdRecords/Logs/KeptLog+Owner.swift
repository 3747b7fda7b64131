import LinuxIO
import LocationPolicy
import LocationStore

extension KeptLog {
  /// Whether a client may know of it, and do with it what it likes: its owner, unconfined what the same user runs, and root. One
  /// without an owner is the user's whose process keeps it. `nil`: that process itself.
  func isVisible(to asker: LogOwner?) -> Bool {
    guard let asker, asker.identity != ClientIdentity(userID: 0) else { return true }
    return asker.identity.sees(wish.owner?.identity ?? ClientIdentity(userID: ProcessEnvironment.userID))
  }
}
