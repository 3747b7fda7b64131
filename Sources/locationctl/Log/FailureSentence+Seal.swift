import LocationPolicy
import LocationStore

extension FailureSentence {
  /// Why an encrypted log could not be decrypted.
  init(_ error: SealedTrackError, log: String) {
    switch error {
    case .otherKey(let owner):
      self.init(
        "Log \(TerminalText.sanitized(log)) is encrypted for \(owner.text), which this key does not open: name the secret key of that one "
          + "with --key.", .denied)
    }
  }
}
