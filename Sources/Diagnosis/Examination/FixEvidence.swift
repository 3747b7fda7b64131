import Geodesy
import WireFormats

/// The fix, its dilution, the date, and the state of the antenna, of jamming and of spoofing from the latest sentences
/// and messages; and counts of positions and restarts since the beginning.
struct FixEvidence: Sendable {
  /// The number of sentences and messages that can carry a position.
  private(set) var positionMessages = 0
  private(set) var hasFix = false
  private(set) var isFlat = false
  private(set) var horizontalDilution: Double?
  private(set) var satellitesUsed: Int?
  private(set) var reportedDate: CalendarDate?
  private(set) var antenna: AntennaState?
  private(set) var isJammed = false
  private(set) var isSpoofed = false
  private(set) var restarts = 0

  mutating func add(_ sentence: NMEAMessage) {
    switch sentence {
    case .rmc(let rmc):
      position(hasFix: rmc.isValid && rmc.latitudeNanodegrees != nil)
      if rmc.isValid, let date = rmc.date { reportedDate = date.date }
    case .gga(let gga):
      position(hasFix: gga.quality != .invalid && gga.latitudeNanodegrees != nil)
      dilution(gga.hdopHundredths)
      satellitesUsed = gga.satellitesUsed.map(Int.init)
    case .gns(let gns):
      position(hasFix: gns.mode != .invalid && gns.latitudeNanodegrees != nil)
      dilution(gns.hdopHundredths)
      satellitesUsed = gns.satellitesUsed.map(Int.init)
    case .gll(let gll): position(hasFix: gll.isValid && gll.latitudeNanodegrees != nil)
    case .gsa(let gsa):
      isFlat = gsa.dimension == .two
      dilution(gsa.hdopHundredths)
    case .zda(let zda): if hasFix, let date = zda.date { reportedDate = date }
    case .pubxPosition(let position):
      self.position(hasFix: position.status != .noFix && position.status != .timeOnly)
      dilution(position.hdopHundredths)
    case .txt(let txt): text(txt.text.string)
    case .ggk(let ggk):
      position(hasFix: ggk.quality != .invalid)
      satellitesUsed = ggk.satellitesUsed.map(Int.init)
    case .gsv, .vtg, .gst, .dtm, .gbs, .hdt, .ths, .magneticHeading, .rateOfTurn, .pubxSatellite, .pubxTime, .pmtk,
      .pgrme, .pqxfi,
      .phoneAccuracy, .unknown:
      break
    }
  }

  mutating func add(_ frame: UBXMessage) {
    switch frame {
    case .navPVT(let pvt):
      position(hasFix: pvt.isFixOK && pvt.fixType != .none && pvt.fixType != .timeOnly)
      isFlat = pvt.fixType == .two
      satellitesUsed = pvt.satellitesUsed.map(Int.init)
      if pvt.isDateValid, let date = pvt.date { reportedDate = date }
    case .navSOL(let sol):
      position(hasFix: sol.isFixOK && sol.fixType != .none && sol.fixType != .timeOnly)
      isFlat = sol.fixType == .two
      satellitesUsed = Int(sol.satellitesUsed)
    case .navTIMEUTC(let utc): if utc.isDateValid, let date = utc.date { reportedDate = date }
    case .navDOP(let dop): dilution(Int32(dop.hdopHundredths))
    case .navSTATUS(let status): isSpoofed = status.isSpoofingIndicated
    case .monRF(let frontEnd):
      isJammed = frontEnd.isJammingCritical
      switch frontEnd.antenna {
      case .good: antenna = .good
      case .short: antenna = .short
      case .open: antenna = .open
      case .starting, .unknown: break
      }
    // These contain a position, but no flag that says whether it is valid.
    case .navPOSLLH, .navPOSECEF: positionMessages += 1
    case .navVELNED, .navSVINFO, .navSAT, .navSatellite, .navCOV, .navEOE, .navTIMELS, .navRELPOSNED, .timTP,
      .monVERSoftware,
      .monVERHardware, .monVERExtension, .secUNIQID, .acknowledgement, .configuration, .assistance,
      .assistanceAcknowledgement, .unknown:
      break
    }
  }

  private mutating func position(hasFix: Bool) {
    positionMessages += 1
    self.hasFix = hasFix
  }

  private mutating func dilution(_ hundredths: Int32?) {
    // 99.99 means that the dilution is unknown.
    horizontalDilution = hundredths.flatMap { (1..<9999).contains($0) ? Double($0) / 100 : nil }
  }

  /// Reads the antenna state from `ANTSTATUS=OPEN` of u-blox or `ANTENNA OPEN` of CASIC and others. A u-blox that
  /// starts sends a greeting with its maker's name: after a position, the greeting means that the receiver has
  /// restarted.
  private mutating func text(_ text: String) {
    let text = text.uppercased()
    if text.hasPrefix("U-BLOX"), positionMessages > 0 { restarts += 1 }
    guard text.hasPrefix("ANTSTATUS=") || text.hasPrefix("ANTENNA ") else { return }
    switch text.dropFirst(text.hasPrefix("ANTSTATUS=") ? 10 : 8) {
    case "OK": antenna = .good
    case "OPEN": antenna = .open
    case "SHORT": antenna = .short
    default: break
    }
  }
}

/// The satellites from the latest lists, in any kind of message.
struct SkyEvidence: Sendable {
  /// Lists are distinguished by talker and signal; the limit exceeds the number of real combinations.
  private static let maximumLists = 64

  private struct List: Sendable {
    /// Incremented each time the list begins again; a new list begins in the latest round of the others. A list that is
    /// more than one round behind is no longer sent, and is dropped.
    var round: Int
    var received = 0
    var strongest = 0
  }

  private var lists: [Int: List] = [:]
  private(set) var listsSatellites = false

  /// The number of satellites, or signals, that the receiver observes.
  var received: Int { lists.values.reduce(0) { $0 + $1.received } }
  /// dB-Hz; `nil`: none is observed.
  var strongest: Int? { lists.values.map(\.strongest).filter { $0 > 0 }.max() }

  mutating func add(_ gsv: GSV, from talker: Talker) {
    let key = 1 + (Int(talker.rawValue) << 8 | Int(gsv.signal ?? 0))
    if gsv.sentence == 1 { begin(key) }
    for index in 0..<Int(min(gsv.count, 4)) { note(gsv.satellites[index].signalDecibelHertz, in: key) }
  }

  /// The head of a list: UBX-NAV-SAT or UBX-NAV-SVINFO.
  mutating func beginUBX() { begin(0) }
  mutating func takeUBX(_ satellite: NavSatellite) { note(satellite.signalDecibelHertz, in: 0) }

  private mutating func begin(_ key: Int) {
    listsSatellites = true
    guard lists.count < Self.maximumLists || lists[key] != nil else { return }
    let latest = lists.values.map(\.round).max() ?? 0
    let round = lists[key].map { $0.round + 1 } ?? latest
    lists[key] = List(round: round)
    if round > latest { lists = lists.filter { $0.value.round >= round - 1 } }
  }

  private mutating func note(_ signal: UInt8?, in key: Int) {
    guard let signal, signal > 0, var list = lists[key] else { return }
    list.received += 1
    list.strongest = max(list.strongest, Int(signal))
    lists[key] = list
  }
}
