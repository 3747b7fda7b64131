import LinuxIO
import LocationdHost

/// What is said on stderr when a command cannot do what it was asked.
enum Diagnostics {
  /// One sentence, on a line of its own. Longer than any device string may be, so bounded where that is put in.
  static func say(_ sentence: String) {
    StandardError.write(Array("locationctl: \(sentence)\n".utf8))
  }

  /// Says a failure's sentence and returns the status that belongs to it.
  static func end(_ sentence: FailureSentence) -> CommandStatus {
    say(sentence.text)
    return sentence.status
  }
}
