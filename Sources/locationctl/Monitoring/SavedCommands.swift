import LinuxIO
import LocationPolicy
import LocationStore

/// The store of the commands that this user has saved for events.
enum SavedCommands {
  private static var store: CommandStore? { ProcessEnvironment.value("HOME").map { CommandStore(home: $0) } }

  static func note(_ text: String, budgetSeconds: Int?) throws(FailureMessage) -> CommandToken {
    guard let command = SavedCommand(text, budgetSeconds: budgetSeconds ?? SavedCommand.usualBudget) else {
      throw FailureMessage(
        "The command must have 1 to \(SavedCommand.longestText) bytes: write a longer one to a script, and use the path of the script.",
        .usage)
    }
    guard let store else {
      throw FailureMessage("HOME is not set, and commands are stored in the home folder: set HOME.", .cannotWrite)
    }
    do throws(SystemError) {
      return try store.note(command)
    } catch {
      throw FailureMessage(
        "Cannot store the command in \(TerminalText.sanitized(store.folder)) (\(error.description)): "
          + "make room there, or make that folder writable.", .cannotWrite)
    }
  }

  /// The text of a command; `nil` if it does not belong to this user or no longer exists.
  static func text(_ token: CommandToken) -> String? { store.flatMap { try? $0.command(token).text } }

  /// Deletes the commands of a launch, which are no longer needed.
  static func forget(_ launch: MonitoringLaunch) {
    for token in launch.commands { try? store?.remove(token) }
  }
}
