import Glibc

extension CommandStatus {
  /// How a command ends that a signal stopped: 128 + its number.
  init(signal: Int32) {
    switch signal {
    case SIGINT: self = .interrupted
    case SIGHUP: self = .hungUp
    default: self = .terminated
    }
  }
}
