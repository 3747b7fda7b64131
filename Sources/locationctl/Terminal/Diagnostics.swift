import LinuxIO
import LocationdHost

/// Prints messages on stderr when a command cannot do what was requested.
enum Diagnostics {
  /// Prints one sentence on its own line. A sentence may be longer than a device string, which is limited where it is inserted.
  static func say(_ sentence: String) {
    StandardError.write(Array("locationctl: \(sentence)\n".utf8))
  }

  /// Prints a failure's sentence and returns its exit status.
  static func end(_ sentence: FailureSentence) -> CommandStatus {
    say(sentence.text)
    return sentence.status
  }
}
