import WireFormats

/// Talkers that say whether there is a fix, each for the satellites that it speaks for.
struct FixTalkers: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  /// All systems together, as GN does, UBX, a maker's own sentence or gpsd.
  static let combined = FixTalkers(.combined)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ talker: Talker) { rawValue = 1 << talker.rawValue }

  /// Who a sentence is from. Makers' own sentences have no talker and speak for all that the receiver has.
  init(_ message: NMEAMessage, from talker: Talker) {
    switch message {
    case .pubxPosition, .ggk: self = .combined
    default: self.init(talker)
    }
  }
}
