import LinuxIO

/// Prints messages on stderr when a command cannot do what was requested.
enum Diagnostics {
  /// Prints one sentence on its own line. A sentence may be longer than a device string, which is limited where it is inserted.
  static func print(_ sentence: String) {
    StandardError.write(Array("locationctl: \(sentence)\n".utf8))
  }

  /// Prints the message of a failure and returns its exit status.
  static func report(_ message: FailureMessage) -> CommandStatus {
    print(message.text)
    return message.status
  }
}
