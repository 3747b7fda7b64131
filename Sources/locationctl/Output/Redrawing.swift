import ArgumentParser
import LinuxIO
import Synchronization

/// Whether this program may redraw output on a terminal: progress lines, counts, the sky plot.
///
/// Screen readers and braille displays read each redrawn line again. With `--plain`, with `LOCATIONCTL_PLAIN` in the environment,
/// or on a terminal that cannot move its cursor (`TERM=dumb`), the program prints whole lines only.
enum Redrawing {
  private static let isForbidden = Mutex(false)

  /// Forbids redrawing, as `--plain` requests.
  static func forbid() { isForbidden.withLock { $0 = true } }

  /// Whether to print whole lines only, on every stream.
  static var isPlain: Bool {
    isForbidden.withLock { $0 } || !(ProcessEnvironment.value("LOCATIONCTL_PLAIN") ?? "").isEmpty
      || ProcessEnvironment.value("TERM") == "dumb"
  }

  /// Whether lines on standard error may be redrawn.
  static var isPossible: Bool { Terminal.isTerminal(2) && !isPlain }
}

/// `--plain`, for the commands that redraw.
struct PlainOption: ParsableArguments {
  @Flag(help: "Print whole lines only, without color, picture or progress line. For screen readers.")
  var plain = false

  func validate() { if plain { Redrawing.forbid() } }
}
