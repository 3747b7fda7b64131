import ArgumentParser
import LinuxIO

/// `--force`, for commands that delete data that cannot be restored: without it they ask for confirmation on a
/// terminal, and refuse elsewhere.
struct ForceOption: ParsableArguments {
  @Flag(name: .long, help: "Do not ask before deleting.")
  var force = false

  /// Returns if the deletion is permitted by `--force` or by the user; otherwise throws the exit status.
  ///
  /// - Parameter what: what would be deleted, as the end of "Delete …?".
  func permits(_ what: String) throws(CommandStatus) {
    guard !force else { return }
    guard TerminalQuestion.isPossible else {
      throw Diagnostics.report(
        FailureMessage(
          "Nothing was deleted, because there is no terminal to ask for confirmation: add --force to delete \(what).",
          .usage))
    }
    guard TerminalQuestion.ask("Delete \(what)? This cannot be undone.") else {
      throw Diagnostics.report(FailureMessage("Nothing was deleted.", .interrupted))
    }
  }
}

/// A question to the user on the terminal.
enum TerminalQuestion {
  /// Whether there is a terminal to ask on.
  static var isPossible: Bool { Terminal.isTerminal(0) && Terminal.isTerminal(2) }

  /// Whether the user answers yes.
  static func ask(_ question: String) -> Bool {
    StandardError.write(Array("\(question) [y/N] ".utf8))
    let answer = readLine()?.lowercased()
    return answer == "y" || answer == "yes"
  }
}
