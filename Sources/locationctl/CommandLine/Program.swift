import ArgumentParser
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

  /// Rejects an argument that is not UTF-8, because it would silently become another name or another file.
  private static func refuse(_ argument: String, of command: CommandPath) -> CommandStatus {
    let remedy =
      command.names == ["log", "import"]
      ? "rename the file, or use /dev/stdin in its place and add '< FILE'" : "use another text, or rename the file"
    return usageError("'\(argument)' is not valid UTF-8: \(remedy).", of: command)
  }

  private static func end(_ error: any Error, of command: CommandPath) -> CommandStatus {
    guard LocationCtl.exitCode(for: error) != .success else {
      return Results.write(Array("\(LocationCtl.fullMessage(for: error))\n".utf8)) ?? .done
    }
    return usageError(LocationCtl.message(for: error), of: command)
  }

  /// Prints one sentence, and where to find more help.
  private static func usageError(_ message: String, of command: CommandPath) -> CommandStatus {
    let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    // The parser quotes arguments unsanitized.
    let sentence = TerminalText.sanitized(line, limit: 2000)
    Diagnostics.print(sentence.hasSuffix(".") || sentence.hasSuffix("?") ? sentence : "\(sentence).")
    StandardError.write(Array("See '\(command.text) --help'.\n".utf8))
    return .usage
  }
}
