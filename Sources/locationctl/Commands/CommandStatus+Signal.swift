import Glibc

extension CommandStatus {
  /// How a command ends that a signal stopped: 128 + its number.
  init(signal: Int32) { self = signal == SIGINT ? .interrupted : .terminated }
}
