import Replay

/// What a scrubbed capture keeps beyond what is harmless.
package struct ScrubChoice: Hashable, Sendable {
  /// Satellites' numbers and places in the sky.
  package var keepsSky: Bool
  /// Sentences and messages that the scrubber does not know.
  package var keepsUnknown: Bool

  package init(keepsSky: Bool, keepsUnknown: Bool) {
    self.keepsSky = keepsSky
    self.keepsUnknown = keepsUnknown
  }

  /// A disguise by the kernel's random numbers, which nobody can have again.
  func disguise() -> Disguise {
    var options = ScrubOptions()
    options.keepsSky = keepsSky
    options.keepsUnknown = keepsUnknown
    var generator = SystemRandomNumberGenerator()
    return Disguise(options, using: &generator)
  }
}
