import Geodesy
import WireFormats

/// A fix as NMEA 0183 GGA and RMC (version 2.3 and later), talker GP, which every reader supports.
package enum NMEAFormat {
  package static func lines(_ located: LocatedFix) -> [UInt8] {
    var buffer = NMEASentenceBuffer()
    buffer.appendGGA(located, .track)
    buffer.appendRMC(located, .track)
    return buffer.bytes
  }

  /// GGA and RMC as in `lines`, with VTG, and with GST if the accuracy is known, as receivers send them.
  package static func sentences(_ located: LocatedFix) -> [UInt8] {
    var buffer = NMEASentenceBuffer()
    buffer.appendGGA(located, .track)
    buffer.appendRMC(located, .track)
    buffer.appendVTG(located, .track)
    buffer.appendGST(located, .track)
    return buffer.bytes
  }

  /// The sentences for "no fix now": quality 0 and status V, without a position.
  package static func lost(at time: Timestamp?) -> [UInt8] {
    var buffer = NMEASentenceBuffer()
    buffer.appendLost(at: time, .track)
    return buffer.bytes
  }
}

/// The differences between the sentences of a track and those of a server.
package struct NMEAStyle: Hashable, Sendable {
  package var talker: String
  /// Decimals of the minutes of a position, of heights, and of the height of the geoid.
  package var minuteDecimals: Int
  package var heightDecimals: Int
  package var geoidDecimals: Int

  /// Sentences of tracks and of `locationctl`: millimeters.
  package static let track = NMEAStyle(talker: "GP", (minuteDecimals: 6, heightDecimals: 3, geoidDecimals: 3))
  /// Sentences for programs that read a receiver: talker GN, for positions from all systems, and at most 82 characters
  /// (NMEA 0183 4.11, section 5.3), which leaves 5 decimals of a minute: 2 cm.
  package static let server = NMEAStyle(
    talker: "GN", (minuteDecimals: 5, heightDecimals: 2, geoidDecimals: 1))

  private init(talker: String, _ decimals: (minuteDecimals: Int, heightDecimals: Int, geoidDecimals: Int)) {
    self.talker = talker
    (minuteDecimals, heightDecimals, geoidDecimals) = decimals
  }
}

/// The sentences of a fix.
extension NMEASentenceBuffer {
  /// GGA, fix data (NMEA 0183 4.11, section 8.3.35).
  package mutating func appendGGA(_ located: LocatedFix, _ style: NMEAStyle) {
    let fix = located.fix
    // The separation refers to the altitude, so a sentence without an altitude has no separation either.
    let heights = located.heights
    begin(style.talker, "GGA")
    timeOfDay(Timestamp(fix.time))
    position(fix.coordinate, decimals: style.minuteDecimals)
    field(fix.ggaQuality)
    field(fix.satellitesUsed.map { min(max($0, 0), 99) }, width: 2)
    field(fix.hdop.flatMap { $0 > 0 && $0 < 99 ? $0 : nil }, decimals: 2)
    field(heights.aboveMeanSeaLevel, decimals: style.heightDecimals)
    field("M")
    field(heights.aboveMeanSeaLevel == nil ? nil : heights.separation, decimals: style.geoidDecimals)
    field("M")
    empty(2)
    end()
  }

  /// RMC, recommended minimum (section 8.3.72).
  package mutating func appendRMC(_ located: LocatedFix, _ style: NMEAStyle) {
    let fix = located.fix
    let time = Timestamp(fix.time)
    begin(style.talker, "RMC")
    timeOfDay(time)
    field(fix.qualityFlag == nil ? "A" : "V")
    position(fix.coordinate, decimals: style.minuteDecimals)
    field(fix.speedMetersPerSecond.map { $0 * 3600 / 1852 }, decimals: 3)
    direction(fix.course?.degrees)
    date(time)
    empty(2)
    field(Self.mode(fix))
    end()
  }

  /// VTG, course and speed (section 8.3.98).
  package mutating func appendVTG(_ located: LocatedFix, _ style: NMEAStyle) {
    let fix = located.fix
    begin(style.talker, "VTG")
    direction(fix.course?.degrees)
    field("T")
    empty()
    field("M")
    field(fix.speedMetersPerSecond.map { $0 * 3600 / 1852 }, decimals: 3)
    field("N")
    field(fix.speedMetersPerSecond.map { $0 * 3.6 }, decimals: 3)
    field("K")
    field(Self.mode(fix))
    end()
  }

  /// GST (section 8.3.42): the standard deviations of a circular error distribution, whose 68 % radius is 1.515
  /// standard deviations. Nothing if the accuracy is unknown.
  package mutating func appendGST(_ located: LocatedFix, _ style: NMEAStyle) {
    let fix = located.fix
    guard let radius = fix.knownHorizontalRadius68, FixedDecimal(radius.value / 1.515, decimals: 3) != nil else {
      return
    }
    let deviation = radius.value / 1.515
    begin(style.talker, "GST")
    timeOfDay(Timestamp(fix.time))
    empty(4)
    field(deviation, decimals: 3)
    field(deviation, decimals: 3)
    field(located.verticalAccuracy, decimals: 3)
    end()
  }

  /// GGA and RMC without a position.
  package mutating func appendLost(at time: Timestamp?, _ style: NMEAStyle) {
    begin(style.talker, "GGA")
    timeOfDay(time)
    empty(4)
    field(0)
    empty(3)
    field("M")
    empty()
    field("M")
    empty(2)
    end()
    begin(style.talker, "RMC")
    timeOfDay(time)
    field("V")
    empty(6)
    date(time)
    empty(2)
    field("N")
    end()
  }

  /// RMC's mode indicator, with the same meaning as GGA's quality.
  private static func mode(_ fix: PositionFix) -> String {
    if fix.qualityFlag != nil { return "N" }
    if fix.isSimulated { return "S" }
    switch fix.kind {
    case .estimated: return fix.isImported ? "A" : "E"
    case .twoDimensional, .threeDimensional: return "A"
    case .differential: return "D"
    case .rtkFixed: return "R"
    case .rtkFloat: return "F"
    }
  }
}
