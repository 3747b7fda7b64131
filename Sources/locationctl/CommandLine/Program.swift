import ArgumentParser
import Geodesy
import LinuxIO

/// The whole run of the program: from its arguments to its exit status.
enum Program {
  static func run(_ arguments: [String]) -> CommandStatus {
    // Answered before the argument parser builds its tables, because scripts request the version whenever they start.
    if arguments == ["--version"] { return VersionCommand().execute() }
    if let invalid = ProcessEnvironment.invalidArgument { return refuse(invalid.repaired, of: CommandPath(arguments)) }
    do {
      // The most frequent request of scripts: the daemon answers it in less time than the parser takes.
      if arguments == ["fix"] { return try FixCommand.executePlain() }
      if let status = answerAboutPosition(arguments) { return status }
      let path = CommandPath(arguments)
      if let error = path.error { return usageError(error, of: path) }
      // Users who give no command look for the list of commands.
      var command = try LocationCtl.parseAsRoot(arguments.isEmpty ? ["--help"] : NegativeValues.attached(arguments))
      if let command = command as? any ServiceCommand { return try command.execute() }
      // `help`, and a command that only has subcommands: the parser answers with an error that contains the help text.
      try command.run()
      return .done
    } catch {
      return end(error, of: CommandPath(arguments))
    }
  }

  /// Runs `places at` and `timezone` with a position and without options: the parser takes longer than the answer. `nil` for all other
  /// arguments.
  private static func answerAboutPosition(_ arguments: [String]) -> CommandStatus? {
    let command = arguments.dropLast()
    guard command == ["places", "at"] || command == ["timezone"], let last = arguments.last,
      let coordinate = Coordinate(parsing: last)
    else { return nil }
    return command.count == 2
      ? PlacesCommand.At.executePlain(coordinate) : TimezoneCommand.executePlain(coordinate)
  }

  /// Rejects an argument that is not UTF-8, because it would silently become another name or another file.
  private static func refuse(_ argument: String, of command: CommandPath) -> CommandStatus {
    let remedy =
      command.names == ["log", "import"]
      ? "rename the file, or use /dev/stdin in its place and add '< FILE'" : "use another text, or rename the file"
    return usageError("'\(argument)' is not valid UTF-8: \(remedy).", of: command)
  }

  private static func end(_ error: any Error, of command: CommandPath) -> CommandStatus {
    guard LocationCtl.exitCode(for: error) != .success else {
      let text = HelpTexts.fitted(LocationCtl.fullMessage(for: error), columns: Terminal.size(1)?.columns ?? 80)
      return Results.write(Array("\(text)\n".utf8)) ?? .done
    }
    return usageError(LocationCtl.message(for: error), of: command)
  }

  /// The parser's text in one line. It lists more than five possible values as a list with a line for each; here they become `'a', 'b' or
  /// 'c'`, as fewer values are.
  static func inOneLine(_ message: String) -> String {
    let lines = message.split(whereSeparator: \.isNewline)
    let opening = "one of the following:"
    let list = lines.drop { !$0.hasSuffix(opening) }.dropFirst()
    let values = list.map { $0.drop { $0 == " " } }
    guard let last = values.last, values.count > 1, values.allSatisfy({ $0.hasPrefix("- ") }) else {
      return lines.joined(separator: " ")
    }
    let others = values.dropLast().map { "'\($0.dropFirst(2))'" }.joined(separator: ", ")
    let before =
      lines.prefix { !$0.hasSuffix(opening) } + [lines[lines.count - list.count - 1].dropLast(" the following:".count)]
    return "\(before.joined(separator: " ")) \(others) or '\(last.dropFirst(2))'."
  }

  /// Prints one sentence, and where to find more help.
  private static func usageError(_ message: String, of command: CommandPath) -> CommandStatus {
    let line = inOneLine(message)
    // The parser quotes arguments unsanitized.
    let sentence = TerminalText.sanitized(line, limit: 2000)
    Diagnostics.print(sentence.hasSuffix(".") || sentence.hasSuffix("?") ? sentence : "\(sentence).")
    StandardError.write(Array("See '\(command.text) --help'.\n".utf8))
    return .usage
  }
}
