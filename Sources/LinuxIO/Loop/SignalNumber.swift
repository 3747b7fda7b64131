import Glibc

/// The signals that end a program in an orderly way.
package enum SignalNumber {
  /// SIGINT: Ctrl-C.
  package static let interrupt = SIGINT
  /// SIGTERM.
  package static let terminate = SIGTERM
}
