import Glibc

/// The signals that end a program in an orderly way, and those that tell of its terminal.
package enum SignalNumber {
  /// SIGINT: Ctrl-C.
  package static let interrupt = SIGINT
  /// SIGHUP: the terminal has gone.
  package static let hangUp = SIGHUP
  /// SIGTERM.
  package static let terminate = SIGTERM
  /// SIGKILL: no program hears it.
  package static let kill = SIGKILL
  /// SIGWINCH: the terminal has another size.
  package static let windowChanged = SIGWINCH
  /// SIGCONT: it runs again after it was stopped.
  package static let continued = SIGCONT
}
