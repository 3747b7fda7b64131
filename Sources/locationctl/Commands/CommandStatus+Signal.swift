import Glibc

extension CommandStatus {
  /// The exit status of a command that a signal stopped: 128 + the signal's number.
  init(signal: Int32) {
    switch signal {
    case SIGINT: self = .interrupted
    case SIGHUP: self = .hungUp
    default: self = .terminated
    }
  }
}
