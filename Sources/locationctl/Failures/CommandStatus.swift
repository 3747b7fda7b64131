import LinuxIO

/// The exit statuses of every command, according to the command line contract (the values of sysexits.h where one
/// fits).
package enum CommandStatus: Int32, Error, Sendable {
  case done = 0
  /// Bad usage.
  case usage = 64
  /// Bad input file.
  case badInput = 65
  /// There is no data that could answer, or the data has no such place.
  case noData = 66
  /// No source of location at all, or no daemon for a command that needs one.
  case noSource = 69
  case cannotWrite = 73
  /// No position by the deadline, or another failure that may be temporary.
  case locationUnknown = 75
  /// The service gave no answer, or one that the command does not understand; or the receiver sends false or damaged
  /// data.
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
