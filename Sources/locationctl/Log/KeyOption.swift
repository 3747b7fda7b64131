import ArgumentParser
import LinuxIO
import LocationPolicy
import LocationStore

/// The option for the secret key that decrypts an encrypted log.
struct KeyOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file with the secret key of an encrypted log; - is standard input.",
      discussion:
        "For example, 'ssh pi locationctl log export trip --key - <trip.key' leaves no key on the other machine.",
      valueName: "file"))
  var key: String?

  /// The key; `nil` if none was given.
  func read() throws(FailureMessage) -> OwnerKey? {
    guard let key else { return nil }
    // A key given as an argument is already in the shell's history; do not print it on the screen or in a log as well.
    guard !LogKeyText.secretKey.isBegun(by: key.lowercased().utf8) else {
      throw FailureMessage(
        "That is the secret key itself, not its file: specify the file, or send the key to '--key -' on standard input.",
        .usage)
    }
    let name = key == "-" ? "standard input" : TerminalText.sanitized(key)
    let remedy = "specify the file that 'locationctl log keygen' has written"
    let words = try KeyFile.words(of: key, remedy: remedy)
    do throws(LogKeyTextError) {
      for word in words where LogKeyText.secretKey.isBegun(by: word.utf8) {
        return try OwnerKey(word)
      }
    } catch {
      throw FailureMessage("The secret key in \(name) is damaged: use another copy of it.", .badInput)
    }
    throw FailureMessage("There is no secret key in \(name): \(remedy).", .badInput)
  }
}
