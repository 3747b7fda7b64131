import Geodesy

/// The differences between the NMEA of the generations.
struct NMEADialect: Hashable, Sendable {
  /// The sentences of an epoch in their order.
  var sentences: [SentenceKind]
  /// Talker of sentences that use all constellations.
  var talker: String
  /// Decimals of seconds and of minutes of arc.
  var timeDecimals: Int
  var angleDecimals: Int
  /// Whether sentences carry a navigation status, system and signal ids (NMEA 0183 4.11).
  var hasIDs: Bool

  /// The NMEA of a dialect, or `nil` if it has none.
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

/// Encodes an epoch as NMEA 0183.
struct NMEAEpochEncoder: Sendable {
  let dialect: NMEADialect
  let epoch: SimulatedEpoch

  /// The sentences of one kind for this epoch: GSA and GSV may be several.
  func sentences(_ kind: SentenceKind) -> [[UInt8]] {
    switch kind {
    case .rmc: [rmc()]
    case .vtg: [vtg()]
    case .gga: [gga()]
    case .gns: [gns()]
    case .gsa: gsa()
    case .gsv: gsv()
    case .gll: [gll()]
    case .gst: [gst()]
    case .zda: [zda()]
    case .pubx00: [pubx00()]
    }
  }

  /// The message at power-on (NMEA 0183 TXT, severity 02: notice).
  static func text(_ message: String, talker: String) -> [UInt8] {
    var sentence = NMEASentenceBuilder(talker + "TXT")
    sentence.field(1, width: 2)
    sentence.field(1, width: 2)
    sentence.field(2, width: 2)
    sentence.field(message)
    return sentence.bytes
  }

  // MARK: Shared fields

  private static let knotsPerMeterPerSecond = 3600.0 / 1852

  var hasFix: Bool { epoch.solution != .none }
  var coordinate: Coordinate? { hasFix ? epoch.position.coordinate : nil }

  /// Mode indicator of 2.3 and later. According to the standard a sentence in mode S has status V; simulators,
  /// including this one, send A, because a sentence with V is taken to contain no position.
  private var mode: String { hasFix ? (epoch.announcesSimulation ? "S" : "A") : "N" }
  private var status: String { hasFix ? "A" : "V" }
  private var knots: Double? { hasFix ? epoch.speedMetersPerSecond * Self.knotsPerMeterPerSecond : nil }
  private var course: Double? { hasFix ? epoch.course?.degrees : nil }

  func begin(_ kind: String) -> NMEASentenceBuilder { NMEASentenceBuilder(dialect.talker + kind) }

  // MARK: Sentences

  private func rmc() -> [UInt8] {
    var sentence = begin("RMC")
    sentence.timeOfDay(epoch.time, decimals: dialect.timeDecimals)
    sentence.field(status)
    sentence.coordinate(coordinate, decimals: dialect.angleDecimals)
    sentence.field(knots, decimals: 3)
    sentence.field(course, decimals: 2)
    sentence.date(epoch.knowsDate ? epoch.time : nil, decimals: dialect.timeDecimals)
    sentence.empty(2)
    sentence.field(mode)
    if dialect.hasIDs { sentence.field("V") }
    return sentence.bytes
  }

  private func vtg() -> [UInt8] {
    var sentence = begin("VTG")
    sentence.field(course, decimals: 2)
    sentence.field("T")
    sentence.empty(1)
    sentence.field("M")
    sentence.field(knots, decimals: 3)
    sentence.field("N")
    sentence.field(hasFix ? epoch.speedMetersPerSecond * 3.6 : nil, decimals: 3)
    sentence.field("K")
    sentence.field(mode)
    return sentence.bytes
  }

  private func gga() -> [UInt8] {
    var sentence = begin("GGA")
    sentence.timeOfDay(epoch.time, decimals: dialect.timeDecimals)
    sentence.coordinate(coordinate, decimals: dialect.angleDecimals)
    sentence.field(hasFix ? (epoch.announcesSimulation ? 8 : 1) : 0)
    sentence.field(epoch.satellitesUsed, width: 2)
    sentence.field(epoch.dilution.horizontal, decimals: 2)
    sentence.field(hasFix ? epoch.heightAboveMeanSeaLevel.value : nil, decimals: 1)
    sentence.field("M")
    sentence.field(hasFix ? epoch.geoidSeparation.value : nil, decimals: 1)
    sentence.field("M")
    sentence.empty(2)
    return sentence.bytes
  }

  private func gns() -> [UInt8] {
    var sentence = begin("GNS")
    sentence.timeOfDay(epoch.time, decimals: dialect.timeDecimals)
    sentence.coordinate(coordinate, decimals: dialect.angleDecimals)
    // One letter per constellation: GPS, GLONASS, Galileo, BeiDou.
    sentence.field(
      [SimulatedSatellite.System.gps, .glonass, .galileo, .beidou].map { system in
        epoch.satellites.contains { $0.system == system && $0.isUsed } ? mode : "N"
      }.joined())
    sentence.field(epoch.satellitesUsed, width: 2)
    sentence.field(epoch.dilution.horizontal, decimals: 2)
    sentence.field(hasFix ? epoch.heightAboveMeanSeaLevel.value : nil, decimals: 1)
    sentence.field(hasFix ? epoch.geoidSeparation.value : nil, decimals: 1)
    sentence.empty(2)
    if dialect.hasIDs { sentence.field("V") }
    return sentence.bytes
  }

  private func gll() -> [UInt8] {
    var sentence = begin("GLL")
    sentence.coordinate(coordinate, decimals: dialect.angleDecimals)
    sentence.timeOfDay(epoch.time, decimals: dialect.timeDecimals)
    sentence.field(status)
    sentence.field(mode)
    return sentence.bytes
  }

  private func gst() -> [UInt8] {
    var sentence = begin("GST")
    let horizontal = hasFix ? max(epoch.horizontalDeviation, 0.01) : nil
    sentence.timeOfDay(epoch.time, decimals: dialect.timeDecimals)
    sentence.field(horizontal, decimals: 2)
    // The error ellipse is a circle, so it has no orientation.
    sentence.field(horizontal, decimals: 2)
    sentence.field(horizontal, decimals: 2)
    sentence.field(hasFix ? 0 : nil, decimals: 1)
    sentence.field(horizontal, decimals: 2)
    sentence.field(horizontal, decimals: 2)
    sentence.field(hasFix ? max(epoch.verticalDeviation, 0.01) : nil, decimals: 2)
    return sentence.bytes
  }

  private func zda() -> [UInt8] {
    var sentence = begin("ZDA")
    let time = epoch.time.map { NMEASentenceBuilder.rounded($0, decimals: dialect.timeDecimals) }
    let date = epoch.knowsDate ? time?.date : nil
    sentence.timeOfDay(time, decimals: dialect.timeDecimals)
    sentence.field(date.map { Int($0.day) }, width: 2)
    sentence.field(date.map { Int($0.month) }, width: 2)
    sentence.field(date.map { Int($0.year) }, width: 4)
    sentence.field(0, width: 2)
    sentence.field(0, width: 2)
    return sentence.bytes
  }

  /// u-blox 8 protocol specification (UBX-13003221) §31.3.2.
  private func pubx00() -> [UInt8] {
    var sentence = NMEASentenceBuilder("PUBX")
    sentence.field("00")
    sentence.timeOfDay(epoch.time, decimals: 2)
    sentence.coordinate(hasFix ? coordinate : Coordinate(checkingLatitude: 0, longitude: 0), decimals: 5)
    sentence.field(hasFix ? epoch.position.heightAboveEllipsoid.value : 0, decimals: 3)
    switch epoch.solution {
    case .none: sentence.field("NF")
    case .twoDimensional: sentence.field("G2")
    case .threeDimensional: sentence.field("G3")
    }
    sentence.field(hasFix ? max(epoch.horizontalAccuracy, 0.1) : 5_303_302, decimals: hasFix ? 1 : 0)
    sentence.field(hasFix ? max(epoch.verticalDeviation, 0.1) : 3_750_001, decimals: hasFix ? 1 : 0)
    sentence.field(hasFix ? epoch.speedMetersPerSecond * 3.6 : 0, decimals: 3)
    sentence.field(course ?? 0, decimals: 2)
    sentence.field(hasFix ? epoch.velocityDown : 0, decimals: 3)
    sentence.empty(1)
    sentence.field(epoch.dilution.horizontal, decimals: 2)
    sentence.field(epoch.dilution.vertical, decimals: 2)
    sentence.field(hasFix ? 0.88 : 99.99, decimals: 2)
    sentence.field(epoch.satellitesUsed)
    sentence.field(0)
    sentence.field(0)
    return sentence.bytes
  }
}
