/// What is known of a login.
package enum LoginState: Hashable, Sendable {
  /// No logind, nor elogind, runs on this machine.
  case untold
  /// There is none of that name, or no more.
  case gone
  case known(LoginRecord)
}
