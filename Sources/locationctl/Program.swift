import ArgumentParser
import LinuxIO

/// The whole run of the program: from its arguments to its exit status.
enum Program {
  static func run(_ arguments: [String]) -> CommandStatus {
    // Answered before the argument parser builds its tables, because scripts ask this on every start.
    if arguments == ["--version"] { return Results.write(Array("\(Version.current)\n".utf8)) ?? .done }
    do {
      // The most frequent request of scripts: the daemon answers it in less time than the parser takes.
      if arguments == ["fix"] { return try FixCommand.executePlain() }
    } catch {
      return end(error, command: "fix")
    }
    if let sentence = commandError(arguments) { return usageError(sentence, command: nil) }
    do {
      var command = try LocationCtl.parseAsRoot(arguments)
      if let command = command as? any ServiceCommand { return try command.execute() }
      // `help`, and a command that only has subcommands: the parser answers them with an error that carries the help text.
      try command.run()
      return .done
    } catch {
      return end(error, command: arguments.first)
    }
  }

  /// The error for a missing or unknown command, which the parser would call an unexpected argument.
  private static func commandError(_ arguments: [String]) -> String? {
    let names = LocationCtl.configuration.subcommands.map { $0._commandName }
    guard let first = arguments.first else {
      return "The command is missing: give one of \(names.joined(separator: ", "))."
    }
    guard !first.hasPrefix("-"), first != "help", !names.contains(first) else { return nil }
    return "There is no command '\(TerminalText.sanitized(first))': give one of \(names.joined(separator: ", "))."
  }

  private static func end(_ error: any Error, command: String?) -> CommandStatus {
    guard LocationCtl.exitCode(for: error) != .success else {
      return Results.write(Array("\(LocationCtl.fullMessage(for: error))\n".utf8)) ?? .done
    }
    return usageError(LocationCtl.message(for: error), command: command)
  }

  /// One sentence, and where to find more help.
  private static func usageError(_ message: String, command: String?) -> CommandStatus {
    let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    // The parser quotes arguments unsanitized.
    let sentence = TerminalText.sanitized(line, limit: 2000)
    let names = LocationCtl.configuration.subcommands.map { $0._commandName }
    let name = command.flatMap { names.contains($0) ? " \($0)" : nil } ?? ""
    Diagnostics.print(sentence.hasSuffix(".") ? sentence : "\(sentence).")
    StandardError.write(Array("See 'locationctl\(name) --help'.\n".utf8))
    return .usage
  }
}
