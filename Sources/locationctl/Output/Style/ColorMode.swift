import ArgumentParser
import LinuxIO
import Synchronization

/// `--color`: when text for people has colors.
package enum ColorMode: String, CaseIterable, Sendable {
  /// On a terminal, or everywhere if `CLICOLOR_FORCE` is set; nowhere if `NO_COLOR` is set.
  case auto
  case always
  case never

  private static let selected = Mutex(ColorMode.auto)

  /// Selects the mode for this program, as `--color` requests.
  static func select(_ mode: ColorMode) { selected.withLock { $0 = mode } }

  static var current: ColorMode { selected.withLock { $0 } }

  /// Whether text on standard output has colors.
  static func usesColor(isTerminal: Bool) -> Bool {
    current.usesColor(isTerminal: isTerminal, isPlain: Redrawing.isPlain, ProcessEnvironment.value)
  }

  /// Whether text has colors. `isPlain` (`--plain`, `LOCATIONCTL_PLAIN` or `TERM=dumb`) takes precedence, then
  /// `--color`, then `NO_COLOR` (https://no-color.org), then `CLICOLOR_FORCE` (https://bixense.com/clicolors).
  package func usesColor(isTerminal: Bool, isPlain: Bool, _ environment: (String) -> String?) -> Bool {
    guard !isPlain else { return false }
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      guard (environment("NO_COLOR") ?? "").isEmpty else { return false }
      if let force = environment("CLICOLOR_FORCE"), !force.isEmpty, force != "0" { return true }
      return isTerminal && !(environment("TERM") ?? "").isEmpty
    }
  }
}

extension ColorMode: ExpressibleByArgument {}

/// `--color`, for all commands that print for people.
struct ColorOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("When to use colors: auto, always or never (default: auto).", valueName: "when"))
  var color: ColorMode?

  func validate() { if let color { ColorMode.select(color) } }
}
