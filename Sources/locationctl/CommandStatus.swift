/// How every command ends, by the command line contract (sysexits.h where it has a word).
package enum CommandStatus: Int32, Error, Sendable {
  case done = 0
  /// Bad usage.
  case usage = 64
  /// Bad input file.
  case badInput = 65
  /// No source of location at all.
  case noSource = 69
  case cannotWrite = 73
  /// Location unknown by the deadline; may be known later.
  case locationUnknown = 75
  /// The other side broke the protocol.
  case protocolError = 76
  /// Denied, or a device that may not be read.
  case denied = 77
  /// By SIGHUP: its terminal has gone.
  case hungUp = 129
  /// By SIGINT.
  case interrupted = 130
  /// By SIGTERM.
  case terminated = 143
}
