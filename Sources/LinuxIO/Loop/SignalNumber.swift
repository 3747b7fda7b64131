import Glibc

/// The signals that end a program in an orderly way.
package enum SignalNumber {
  /// SIGINT: Ctrl-C.
  package static let interrupt = SIGINT
  /// SIGHUP: the terminal has gone.
  package static let hangUp = SIGHUP
  /// SIGTERM.
  package static let terminate = SIGTERM
}
