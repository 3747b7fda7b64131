import Geodesy
import WireFormats

/// What one epoch's messages have said so far; what no message said stays `nil`.
///
/// Of positions and motions the one of the best rank counts, the later of two equals; of NMEA's heights, dates, dilutions
/// and satellite numbers the first, of UBX's the last.
struct EpochDraft: Sendable {
  /// Which message's position is taken where several tell one: the finer resolution wins, and of NMEA's own sentences the
  /// one with more digits.
  enum PositionRank: Int, Comparable {
    case sentence, pubx, ecef, ubx, precise
    static func < (a: PositionRank, b: PositionRank) -> Bool { a.rawValue < b.rawValue }
  }

  /// Which message's speed and course are taken.
  enum MotionRank: Int, Comparable {
    case vtg, rmc, pubx, ubx
    static func < (a: MotionRank, b: MotionRank) -> Bool { a.rawValue < b.rawValue }
  }

  // MARK: Time
  /// UTC nanoseconds since midnight.
  var nanosecondsOfDay: Int64?
  /// The date as told, before any era is given back; a year that no receiver counts is not taken.
  var date: CalendarDate? {
    get { toldDate }
    set { toldDate = newValue.flatMap { TwoDigitDate.years.contains(Int($0.year)) ? $0 : nil } ?? toldDate }
  }
  private var toldDate: CalendarDate?
  /// UBX: whether date and time are valid and fully resolved.
  var receiverConfirmsTime: Bool? { leapSecondsAreDefault ? false : confirmsTime }
  var confirmsTime: Bool?
  /// The receiver counts with the leap seconds that it was made with.
  var leapSecondsAreDefault = false
  /// UBX: GPS time of week in milliseconds.
  var timeOfWeekMilliseconds: UInt32?

  // MARK: Position
  var latitudeNanodegrees: Int64?
  var longitudeNanodegrees: Int64?
  /// Which message the position is from; a higher one wins.
  private var positionRank = PositionRank.sentence
  private var positionDecimals: UInt8 = 0
  var ellipsoidMillimeters: Int64?
  var meanSeaLevelMillimeters: Int64?
  var geoidSeparationMillimeters: Int64?
  /// The datum that the sentences of the talker in hand refer to.
  var datum = DatumReference.wgs84
  /// What the position may be off because its datum is not known, in meters (68 %).
  private(set) var datumErrorMeters = 0.0

  // MARK: Motion
  var speedMetersPerSecond: Double?
  var courseDegrees: Double?
  private var motionRank = MotionRank.vtg

  // MARK: Quality
  /// Who sends the message in hand.
  var talker = FixTalkers.combined
  /// Those who say that there is a fix.
  private var withFix: FixTalkers = []
  /// Those who say that there is none.
  private var withoutFix: FixTalkers = []
  /// A message says that there is a fix.
  var saysValid: Bool { !withFix.isEmpty }
  /// Whether a message calls the position manual input (NMEA quality 7, mode M).
  var saysManual = false
  /// A message says that there is none, and that holds: it wins over the same talker's fix. The void sentence of one system
  /// does not take the fix of another away.
  var saysInvalid: Bool {
    !withoutFix.isEmpty && (withFix.isEmpty || !withoutFix.isDisjoint(with: withFix.union(.combined)))
  }
  /// The strongest kind that a message names, before 2D is taken into account.
  var kind: FixKind?
  /// A message says that the height is held.
  var isTwoDimensional: Bool?
  var evidence = AccuracyEvidence()
  private(set) var satellitesUsed: Int?
  /// Whether their number is from a sentence without a fix, which gives way to any other.
  private var isNumberOfVoid = false
  /// Satellites counted from lists of those used, where no message gives the number.
  var satellitesListedAsUsed = 0
  /// How many satellites are used, by a message that gives the number, else by lists.
  var countedAsUsed: Int? { satellitesUsed ?? (satellitesListedAsUsed > 0 ? satellitesListedAsUsed : nil) }
  var isSimulated = false
  var isJammed = false

  // MARK: Sky
  var satellitesInView = SatelliteSet()
  var satellitesHeard = SatelliteSet()
  var listsSatellites = false
  /// As they were listed, signal by signal; at most `maximumSightings`.
  var satellites: [SatelliteSighting] = []
  /// Those that lists apart from that name as used.
  private(set) var usedSatellites = SatelliteSet()
  /// Whether there were such lists.
  var listsUsed = false
  /// Whether they had a number in them that no scheme knows: then who is not in them may be used too.
  private(set) var listsUnknownUsed = false
  /// More than any receiver tracks: each satellite of each system in two bands.
  static let maximumSightings = 256

  // MARK: Arrival
  /// When the last byte that belongs to it arrived.
  var lastArrival: Instant
  /// Whether it was heard from its first message on.
  var isWhole: Bool
  /// Whether it began on the heels of a completed epoch; what then tells no time belonged to that one.
  let isStraggler: Bool
  var lastSignature: CycleEnd.Signature?
  /// Whether the receiver's clock was set back to its time.
  var isAfterStepBack = false

  /// A draft that begins with a message that arrived now.
  init(at now: Instant, isWhole: Bool, isStraggler: Bool) {
    lastArrival = now
    self.isWhole = isWhole
    self.isStraggler = isStraggler
  }

  /// Lets `body` write into it, where it is.
  mutating func change(_ body: (inout EpochDraft) -> Void) { body(&self) }

  /// Whether a fix can be told from it.
  var hasFix: Bool {
    saysValid && !saysInvalid && latitudeNanodegrees != nil && longitudeNanodegrees != nil
  }

  /// Whether its own messages tell how good the position is.
  var tellsAccuracy: Bool {
    evidence.ellipse != nil || evidence.horizontalAccuracyMeters != nil || evidence.horizontalError50Meters != nil
      || evidence.horizontalDilution != nil || evidence.positionDilution != nil
  }

  /// Whether anything in it tells 2D from 3D.
  var tellsDimensions: Bool { isTwoDimensional != nil || hasHeight }

  /// Without a word on dimensions a height makes it 3D, of at least the four satellites that it takes.
  var isThreeDimensional: Bool { isTwoDimensional.map { !$0 } ?? (hasHeight && countedAsUsed.map { $0 >= 4 } ?? true) }

  private var hasHeight: Bool { meanSeaLevelMillimeters != nil || ellipsoidMillimeters != nil }

  /// The kind of fix by all that was said.
  var fixKind: FixKind {
    let threeDimensional = isThreeDimensional
    // What was typed in has no satellites behind it.
    if saysManual, kind == nil, (countedAsUsed ?? 0) < 4 { return .estimated }
    switch kind {
    case .rtkFixed?: return .rtkFixed
    case .rtkFloat?: return .rtkFloat
    case .estimated?: return .estimated
    case .differential? where threeDimensional: return .differential
    case .differential?, .twoDimensional?, .threeDimensional?, nil:
      return threeDimensional ? .threeDimensional : .twoDimensional
    }
  }

  /// A message says that there is a fix, and of which kind beyond 2D and 3D. The strongest kind named counts; the same
  /// solution is never estimated and carrier phase at once.
  mutating func raise(_ kind: FixKind?) {
    withFix.formUnion(talker)
    guard let kind, kind.rawValue > (self.kind?.rawValue ?? 0) || self.kind == nil else { return }
    self.kind = kind
  }

  /// A message says that there is no fix.
  mutating func sayInvalid() { withoutFix.formUnion(talker) }

  /// Takes how many satellites are used. `isVoid`: the message has no fix. Else the first number stays, unless `replaces`.
  mutating func setSatellitesUsed(_ count: Int?, isVoid: Bool = false, replaces: Bool = false) {
    guard let count, satellitesUsed == nil || replaces || isNumberOfVoid && !isVoid else { return }
    satellitesUsed = count
    isNumberOfVoid = isVoid
  }

  /// A message calls the position manual input. Phones say that of what their chip computed from satellites, so their number decides.
  mutating func raiseManual() {
    raise(nil)
    saysManual = true
  }

  /// Whether it holds a list of satellites and not a word of a position, its quality or a motion.
  var isSkyAlone: Bool {
    listsSatellites && !saysValid && !saysInvalid && evidence == AccuracyEvidence() && speedMetersPerSecond == nil
      && courseDegrees == nil && !listsUsed && isTwoDimensional == nil
  }

  /// Takes the list of satellites that another draft holds.
  mutating func takeSky(of other: EpochDraft) {
    listsSatellites = other.listsSatellites
    satellitesInView = other.satellitesInView
    satellitesHeard = other.satellitesHeard
    satellites = other.satellites
  }

  /// Takes a satellite in view, counted once however many of its signals are listed. `code`: which signal, as NMEA's table
  /// 21 numbers them.
  mutating func addSatellite(
    _ id: SatelliteID?, signal: UInt8, elevation: Int8?, azimuth: Int16?, code: UInt8? = nil, isUsed: Bool? = nil,
    isHealthy: Bool? = nil
  ) {
    listsSatellites = true
    guard let id else { return }
    if satellites.count < Self.maximumSightings {
      if satellites.isEmpty { satellites.reserveCapacity(48) }
      satellites.append(
        SatelliteSighting(
          id: id, elevationDegrees: elevation, azimuthDegrees: azimuth.flatMap { (0...360).contains($0) ? $0 : nil },
          signalDecibelHertz: signal > 0 ? signal : nil, code: code, isUsed: isUsed, isHealthy: isHealthy))
    }
    satellitesInView.insert(id)
    if signal > 0 { satellitesHeard.insert(id) }
  }

  /// Takes a satellite that a list says to be used; `nil`: a number that no scheme knows.
  mutating func addUsed(_ id: SatelliteID?) {
    guard let id else {
      listsUnknownUsed = true
      return
    }
    usedSatellites.insert(id)
  }

  /// The satellites with all that is known of them; `nil` where they were not listed.
  var sightings: [SatelliteSighting]? {
    guard listsSatellites else { return nil }
    guard listsUsed else { return satellites }
    return satellites.map { sighting in
      var sighting = sighting
      let isNamed = usedSatellites.contains(sighting.id)
      sighting.isUsed = sighting.isUsed ?? (isNamed ? true : listsUnknownUsed ? nil : false)
      return sighting
    }
  }

  /// Takes a position in the datum in hand unless a better message gave one already.
  mutating func setLocalPosition(latitude: Int64, longitude: Int64, rank: PositionRank, decimals: UInt8 = 0) {
    let latitude = latitude - datum.latitudeOffsetNanodegrees
    guard (-90_000_000_000...90_000_000_000).contains(latitude) else { return }
    datumErrorMeters = max(datumErrorMeters, datum.errorMeters)
    setPosition(
      latitude: latitude, longitude: Self.wrapped(longitude - datum.longitudeOffsetNanodegrees), rank: rank,
      decimals: decimals)
  }

  /// A longitude in −180…180°.
  private static func wrapped(_ nanodegrees: Int64) -> Int64 {
    if nanodegrees > 180_000_000_000 { return nanodegrees - 360_000_000_000 }
    return nanodegrees < -180_000_000_000 ? nanodegrees + 360_000_000_000 : nanodegrees
  }

  /// Takes a position unless a better message gave one already.
  mutating func setPosition(latitude: Int64, longitude: Int64, rank: PositionRank, decimals: UInt8 = 0) {
    guard rank > positionRank || rank == positionRank && decimals >= positionDecimals else { return }
    positionDecimals = decimals
    latitudeNanodegrees = latitude
    longitudeNanodegrees = longitude
    positionRank = rank
  }

  /// Takes speed and course unless a better message gave them already.
  mutating func setMotion(speedMetersPerSecond speed: Double?, courseDegrees course: Double?, rank: MotionRank) {
    guard rank >= motionRank, speed != nil || course != nil else { return }
    speedMetersPerSecond = speed
    courseDegrees = course
    motionRank = rank
  }
}
