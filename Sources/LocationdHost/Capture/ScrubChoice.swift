import LocationReplay

/// Optional contents of a scrubbed capture, beyond those that are harmless.
package struct ScrubChoice: Hashable, Sendable {
  /// Satellites' numbers and positions in the sky.
  package var keepsSky: Bool
  /// Sentences and messages that the scrubber does not know.
  package var keepsUnknown: Bool

  package init(keepsSky: Bool, keepsUnknown: Bool) {
    self.keepsSky = keepsSky
    self.keepsUnknown = keepsUnknown
  }

  /// An anonymization with random values from the kernel, so that it cannot be reproduced.
  func anonymization() -> Anonymization {
    var options = ScrubOptions()
    options.keepsSky = keepsSky
    options.keepsUnknown = keepsUnknown
    var generator = SystemRandomNumberGenerator()
    return Anonymization(options, using: &generator)
  }
}
