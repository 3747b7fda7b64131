import LinuxIO
import Synchronization

/// Whether this program may draw over what it has shown on a terminal: progress lines, counts, the picture of the sky.
///
/// Screen readers and braille displays read each redrawn line again. They get whole lines only: by `--plain`, by `LOCATIONCTL_PLAIN` in
/// the environment, or because the terminal itself cannot move its cursor (`TERM=dumb`).
enum Redrawing {
  private static let isForbidden = Mutex(false)

  /// As `--plain` asks.
  static func forbid() { isForbidden.withLock { $0 = true } }

  /// Whether whole lines are wanted, wherever they go.
  static var isPlain: Bool {
    isForbidden.withLock { $0 } || !(ProcessEnvironment.value("LOCATIONCTL_PLAIN") ?? "").isEmpty
      || ProcessEnvironment.value("TERM") == "dumb"
  }

  /// Whether lines on standard error may be drawn over.
  static var isPossible: Bool { Terminal.isTerminal(2) && !isPlain }
}
