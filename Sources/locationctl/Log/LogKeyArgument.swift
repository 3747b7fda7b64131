import LinuxIO
import LocationPolicy
import LocationStore

/// The argument that states for which key a log is encrypted: the public key itself, or a file that contains it.
enum LogKeyArgument {
  private static let remedy = "specify the public key (seal1 and 56 letters and digits) or a file that contains it"

  static func key(_ argument: String) throws(FailureMessage) -> LogPublicKey {
    if let key = try key(word: argument) { return key }
    for word in try KeyFile.words(of: argument, remedy: remedy) {
      if let key = try key(word: word) { return key }
    }
    throw FailureMessage("There is no public key in \(TerminalText.sanitized(argument)): \(remedy).", .badInput)
  }

  /// `nil` if the argument does not have the form of a key.
  private static func key(word: String) throws(FailureMessage) -> LogPublicKey? {
    do throws(LogKeyTextError) {
      return try LogPublicKey(word)
    } catch .other {
      return nil
    } catch .secret {
      let key = (try? OwnerKey(word)).map { ", which is \($0.publicKey.text)" } ?? ""
      throw FailureMessage(
        "That is the secret key, which the machine that records must not have: use the public key\(key).", .usage)
    } catch {
      throw FailureMessage("'\(TerminalText.sanitized(word))' is not a valid public key: \(remedy).", .usage)
    }
  }
}
