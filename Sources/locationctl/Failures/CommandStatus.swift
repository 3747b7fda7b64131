import LinuxIO

/// The exit statuses of every command, according to the command line contract (the values of sysexits.h where one
/// fits).
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
  /// The service broke the protocol.
  case protocolError = 76
  /// Permission denied, or a device that may not be read.
  case denied = 77
  /// Ended by SIGHUP: the terminal was closed.
  case hungUp = 129
  /// Ended by SIGINT.
  case interrupted = 130
  /// Ended by SIGTERM.
  case terminated = 143
}

extension CommandStatus {
  /// The exit status of a command that a signal stopped: 128 + the signal's number.
  init(signal: Int32) {
    switch signal {
    case SignalNumber.interrupt: self = .interrupted
    case SignalNumber.hangUp: self = .hungUp
    default: self = .terminated
    }
  }
}
