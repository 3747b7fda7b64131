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
    guard Terminal.isTerminal(0), Terminal.isTerminal(2) else {
      throw Diagnostics.report(
        FailureMessage(
          "Nothing was deleted, because there is no terminal to ask for confirmation: add --force to delete \(what).",
          .usage))
    }
    StandardError.write(Array("Delete \(what)? This cannot be undone. [y/N] ".utf8))
    let answer = readLine()?.lowercased()
    guard answer == "y" || answer == "yes" else {
      throw Diagnostics.report(FailureMessage("Nothing was deleted.", .interrupted))
    }
  }
}
