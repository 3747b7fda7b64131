/// What differs between the NMEA of one generation and another.
struct NMEADialect: Hashable, Sendable {
  /// The sentences of an epoch in their order.
  var sentences: [SentenceKind]
  /// Talker of sentences that stand on all constellations.
  var talker: String
  /// Decimals of seconds and of minutes of arc.
  var timeDecimals: Int
  var angleDecimals: Int
  /// Whether sentences carry a navigation status, system and signal ids (NMEA 0183 4.11).
  var hasIDs: Bool

  /// The NMEA of a dialect, or `nil` where it has none.
  init?(_ dialect: Dialect, isFactorySet: Bool = false) {
    switch dialect {
    case .ublox6 where isFactorySet, .ublox7 where isFactorySet: self.init(.nmea23)
    case .ublox8 where isFactorySet: self.init(.mixed)
    case .ublox9 where isFactorySet: self.init(.nmea411)
    case .nmea23:
      self.init(
        sentences: [.gga, .gsa, .gsv, .rmc, .vtg, .gll], talker: "GP", timeDecimals: 3, angleDecimals: 4,
        hasIDs: false)
    case .nmea411:
      self.init(
        sentences: [.rmc, .vtg, .gga, .gsa, .gsv, .gll], talker: "GN", timeDecimals: 2, angleDecimals: 5,
        hasIDs: true)
    case .mixed:
      self.init(
        sentences: [.rmc, .gga, .gsa, .gsv], talker: "GN", timeDecimals: 2, angleDecimals: 5, hasIDs: false)
    case .ublox6, .ublox7, .ublox8, .ublox9: return nil
    }
  }

  private init(sentences: [SentenceKind], talker: String, timeDecimals: Int, angleDecimals: Int, hasIDs: Bool) {
    self.sentences = sentences
    self.talker = talker
    self.timeDecimals = timeDecimals
    self.angleDecimals = angleDecimals
    self.hasIDs = hasIDs
  }
}
