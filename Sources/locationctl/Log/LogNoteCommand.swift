import ArgumentParser
import Geodesy
import LocationIPC
import TrackFormats

extension LogCommand {
  struct Note: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "note", abstract: "Store a note in a log, at the current position.",
      discussion: """
        Without a current position, the note gets the last position of the log. Exports contain notes as waypoints.
        """)
    @Argument(
      help: ArgumentHelp("The note: one line of at most \(TrackNote.maximumLength) bytes.", valueName: "text"),
      transform: { try Note.line($0) })
    var text: String
    @Option(help: ArgumentHelp("The name of the log.", valueName: "name"))
    var log = "default"
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      LogCommand.send(.note(name: log, text: text)).confirmed(
        "Stored the note in the log '\(TerminalText.sanitized(log))'.")
    }

    /// The text on one line, without characters that control a terminal.
    private static func line(_ text: String) throws -> String {
      var line = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        if ["\n", "\r", "\t"].contains(scalar) {
          line.append(" ")
        } else {
          line.append(scalar.isHarmful ? "\u{FFFD}" : scalar)
        }
      }
      let trimmed = String(line.drop { $0 == " " })
      guard TrackNote.isValid(trimmed) else {
        throw ValidationError("A note has 1 to \(TrackNote.maximumLength) bytes.")
      }
      return trimmed
    }
  }

  struct Rename: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename",
      abstract: "Rename a log. A log that is being recorded continues under the new name.")
    @Argument(help: ArgumentHelp("The current name of the log.", valueName: "old"))
    var old: String
    @Argument(help: ArgumentHelp("The new name, which no other log has.", valueName: "new"))
    var new: String
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      LogCommand.send(.rename(name: old, to: new)).confirmed(
        "Renamed the log '\(TerminalText.sanitized(old))' to '\(TerminalText.sanitized(new))'.")
    }
  }
}
