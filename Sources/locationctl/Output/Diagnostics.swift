import LinuxIO

/// Prints messages on stderr: why a command cannot do what was requested, and what else the user should know.
enum Diagnostics {
  /// Prints one sentence on its own line. A sentence may be longer than a device string, which is limited where it is inserted.
  static func print(_ sentence: String) {
    let text: StyledText = "locationctl: \(sentence)"
    // On a terminal, lines end between words.
    let lines = Terminal.size(2).map { TextTable.wrapped(text, within: $0.columns) } ?? [text]
    StandardError.write(Array(lines.map { "\($0.text)\n" }.joined().utf8))
  }

  /// Prints the message of a failure and returns its exit status.
  static func report(_ message: FailureMessage) -> CommandStatus {
    print(message.text)
    return message.status
  }
}
