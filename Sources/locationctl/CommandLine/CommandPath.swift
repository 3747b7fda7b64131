import ArgumentParser
import LocationdConfiguration

/// The command that a list of arguments names, as far as it exists: `log export`.
struct CommandPath {
  private(set) var names: [String] = []
  private var command: any ParsableCommand.Type = LocationCtl.self
  /// The first argument that should name a subcommand and does not; `nil` if there is none.
  private(set) var unknown: String?

  init(_ arguments: [String]) {
    // `help log export` asks about the command named after `help`.
    for argument in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
      let subcommands = command.configuration.subcommands
      guard !subcommands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return }
      guard let next = subcommands.first(where: { $0._commandName == argument }) else {
        // A default subcommand has its own arguments.
        if command.configuration.defaultSubcommand == nil { unknown = argument }
        return
      }
      names.append(argument)
      command = next
    }
  }

  /// The commands that may follow.
  var subcommands: [String] { command.configuration.subcommands.map { $0._commandName } }

  /// The command as typed, such as `locationctl log export`.
  var text: String { (["locationctl"] + names).joined(separator: " ") }

  /// The error if the arguments do not name a command; otherwise `nil`. The parser would report an unexpected argument
  /// instead.
  var error: String? {
    guard let unknown else { return nil }
    let shown = TerminalText.sanitized((names + [unknown]).joined(separator: " "))
    // The right word in the wrong place, such as `log trips` or `export`.
    let others = Self.paths(endingIn: unknown)
    if !others.isEmpty, others.count <= Self.mostSuggestions {
      let list = others.map { "'locationctl \($0)'" }
      let meant = [list.dropLast().joined(separator: ", "), list[list.count - 1]].filter { !$0.isEmpty }
      return "There is no command '\(shown)': did you mean \(meant.joined(separator: " or "))?"
    }
    if let near = Suggestion.nearest(to: unknown, in: subcommands) {
      return "There is no command '\(shown)': did you mean '\((names + [near]).joined(separator: " "))'?"
    }
    return "There is no command '\(shown)': use one of \(subcommands.joined(separator: ", "))."
  }

  /// More commands than these with the same last word, such as `list`, help nobody.
  private static let mostSuggestions = 3

  /// The commands whose last word is `name`, such as `log export` and `trips export`.
  private static func paths(endingIn name: String) -> [String] {
    func paths(below command: any ParsableCommand.Type, _ before: [String]) -> [String] {
      command.configuration.subcommands.flatMap { next -> [String] in
        let names = before + [next._commandName]
        return (next._commandName == name ? [names.joined(separator: " ")] : []) + paths(below: next, names)
      }
    }
    return paths(below: LocationCtl.self, [])
  }
}
