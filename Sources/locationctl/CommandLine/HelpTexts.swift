import ArgumentParser

/// The help of the commands.
package enum HelpTexts {
  /// Each command, such as `log export`, with its help at this width of the terminal.
  package static func all(columns: Int) -> [(command: String, text: String)] { below(LocationCtl.self, [], columns) }

  private static func below(
    _ command: any ParsableCommand.Type, _ names: [String], _ columns: Int
  ) -> [(command: String, text: String)] {
    [
      (names.joined(separator: " "), fitted(LocationCtl.helpMessage(for: command, columns: columns), columns: columns))
    ]
      + command.configuration.subcommands.flatMap { below($0, names + [$0._commandName], columns) }
  }

  private static let usage = "USAGE: "
  private static let noBreak: Character = "\u{A0}"

  /// The help with the line of the usage in lines of this width: the parser wraps all other lines. A line ends between two arguments.
  static func fitted(_ text: String, columns: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.hasPrefix(usage), line.count > columns else { return String(line) }
      var depth = 0
      let arguments = line.dropFirst(usage.count).map { (character: Character) -> Character in
        if "[<".contains(character) { depth += 1 }
        if "]>".contains(character) { depth -= 1 }
        return character == " " && depth > 0 ? noBreak : character
      }
      let lines = TextTable.wrapped(StyledText(String(arguments)), within: max(20, columns - usage.count))
      let indent = String(repeating: " ", count: usage.count)
      return usage
        + lines.map { String($0.text.map { $0 == noBreak ? " " : $0 }) }.joined(separator: "\n\(indent)")
    }.joined(separator: "\n")
  }
}
