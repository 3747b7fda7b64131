import LinuxIO
import LocationPolicy
import LocationStore

extension KeptLog {
  /// Whether a user may know of it, and do with it what they like: its owner and root. One without an owner is the user's whose
  /// process keeps it. `nil`: that process itself.
  func isVisible(to user: UInt32?) -> Bool {
    guard let user, user != 0 else { return true }
    return user == wish.owner ?? ProcessEnvironment.userID
  }
}
