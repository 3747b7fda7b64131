import LocationPolicy
import LocationStore

extension FailureSentence {
  /// Why a sealed log was not opened.
  init(_ error: SealedTrackError, log: String) {
    switch error {
    case .otherKey(let owner):
      self.init(
        "Log \(TerminalText.sanitized(log)) is sealed to \(owner.text), which this key does not open: name that one's secret "
          + "key with --key.", .denied)
    }
  }
}
