import WireFormats

/// Talkers that report whether there is a fix, each for its own satellite systems.
struct FixTalkers: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  /// All systems together: GN, UBX, proprietary sentences and gpsd.
  static let combined = FixTalkers(.combined)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ talker: Talker) { rawValue = 1 << talker.rawValue }

  /// The talker of a sentence. Proprietary sentences have no talker and cover all of the receiver's systems.
  init(_ message: NMEAMessage, from talker: Talker) {
    switch message {
    case .pubxPosition, .ggk: self = .combined
    default: self.init(talker)
    }
  }
}
