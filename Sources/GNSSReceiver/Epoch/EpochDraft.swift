import Geodesy
import WireFormats

/// The data of one epoch so far; a field that no message has set is `nil`.
///
/// The position and motion come from the message with the best rank, and from the later of two with equal rank (of two NMEA
/// positions, from the one with more decimals). For NMEA heights, dates (except that of ZDA), dilutions and satellite
/// counts, the first value is kept; for UBX the last.
struct EpochDraft: Sendable {
  /// Which message provides the position if several contain one: the finer resolution wins, and among NMEA's own sentences the
  /// one with more digits.
  enum PositionRank: Int, Comparable {
    case sentence, pubx, ecef, ubx, precise
    static func < (a: PositionRank, b: PositionRank) -> Bool { a.rawValue < b.rawValue }
  }

  /// Which message provides speed and course.
  enum MotionRank: Int, Comparable {
    case vtg, rmc, pubx, ubx
    static func < (a: MotionRank, b: MotionRank) -> Bool { a.rawValue < b.rawValue }
  }

  // MARK: Time
  /// UTC nanoseconds since midnight.
  var nanosecondsOfDay: Int64?
  /// The date from the receiver, before any week rollover is corrected; a year outside `TwoDigitDate.years` is ignored.
  var date: CalendarDate? {
    get { reportedDate }
    set { reportedDate = newValue.flatMap { TwoDigitDate.years.contains(Int($0.year)) ? $0 : nil } ?? reportedDate }
  }
  private var reportedDate: CalendarDate?
  /// Whether the receiver confirms date and time (UBX: valid and fully resolved); `false` while it uses default leap
  /// seconds, `nil` if it does not report this.
  var receiverConfirmsTime: Bool? { leapSecondsAreDefault ? false : confirmsTime }
  var confirmsTime: Bool?
  /// The receiver still uses its built-in default leap seconds.
  var leapSecondsAreDefault = false
  /// UBX: GPS time of week in milliseconds.
  var timeOfWeekMilliseconds: UInt32?

  // MARK: Position
  var latitudeNanodegrees: Int64?
  var longitudeNanodegrees: Int64?
  /// Rank of the message that provided the position; a higher rank wins.
  private var positionRank = PositionRank.sentence
  private var positionDecimals: UInt8 = 0
  var ellipsoidMillimeters: Int64?
  var meanSeaLevelMillimeters: Int64?
  var geoidSeparationMillimeters: Int64?
  /// Datum of the current talker's sentences.
  var datum = DatumReference.wgs84
  /// The greatest error that the datums of this epoch's positions cause, in meters (68 %).
  private(set) var datumErrorMeters = 0.0

  // MARK: Motion
  var speedMetersPerSecond: Double?
  var courseDegrees: Double?
  private var motionRank = MotionRank.vtg

  // MARK: Quality
  /// Talker of the current message.
  var talker = FixTalkers.combined
  /// Talkers that report a fix.
  private var withFix: FixTalkers = []
  /// Talkers that report no fix.
  private var withoutFix: FixTalkers = []
  /// Whether a message reports a fix.
  var isReportedValid: Bool { !withFix.isEmpty }
  /// Whether a message calls the position manual input (NMEA quality 7, mode M).
  var reportsManual = false
  /// Whether "no fix" holds: it wins over a fix from the same talker, and if it is for all systems together, over any
  /// fix. A void sentence from one system does not cancel the fix of another.
  var isReportedInvalid: Bool {
    !withoutFix.isEmpty && (withFix.isEmpty || !withoutFix.isDisjoint(with: withFix.union(.combined)))
  }
  /// The strongest kind that a message reports, before 2D is taken into account.
  var kind: FixKind?
  /// Whether a message reports that the height is held (2D); `nil`: no message reports 2D or 3D.
  var isTwoDimensional: Bool?
  var evidence = AccuracyEvidence()
  private(set) var satellitesUsed: Int?
  /// Whether the count comes from a sentence without a fix; a count from one with a fix replaces it.
  private var isNumberOfVoid = false
  /// Number of satellites listed as used, for epochs in which no message gives the number.
  var satellitesListedAsUsed = 0
  /// Satellites used: the number that a message gives, otherwise the count from lists.
  var countedAsUsed: Int? { satellitesUsed ?? (satellitesListedAsUsed > 0 ? satellitesListedAsUsed : nil) }
  /// The age of the corrections.
  var correctionAge: Duration?
  var isSimulated = false
  var isJammed = false

  // MARK: Sky
  var satellitesInView = SatelliteSet()
  var satellitesTracked = SatelliteSet()
  var listsSatellites = false
  /// In the order received, one entry per signal; at most `maximumObservations`.
  var satellites: [SatelliteObservation] = []
  /// Satellites that separate lists (GSA) name as used.
  private(set) var usedSatellites = SatelliteSet()
  /// Whether such lists were received.
  var listsUsed = false
  /// Whether such a list contained an unknown satellite number: then a satellite that is not in the list may be used too.
  private(set) var listsUnknownUsed = false
  /// More than any receiver tracks: each satellite of each system in two bands.
  static let maximumObservations = 256

  // MARK: Arrival
  /// When the read returned that completed its first message.
  let beganAt: Instant
  /// When the last byte of this epoch arrived.
  var lastArrival: Instant
  /// Whether the first message of this epoch was received.
  var isWhole: Bool
  /// Whether this epoch began directly after a completed one; messages without a time then belong to the completed
  /// epoch.
  let isStraggler: Bool
  var lastSignature: CycleEnd.Signature?
  /// The type of its first message that is no list.
  var firstMessage: EpochMessageType?
  /// The time between epochs, as far as it is known.
  var period: Duration = .seconds(1)
  /// Whether the receiver's clock was set back to this epoch's time.
  var isAfterStepBack = false

  /// A draft whose first message arrived at `now`.
  init(at now: Instant, isWhole: Bool, isStraggler: Bool) {
    beganAt = now
    lastArrival = now
    self.isWhole = isWhole
    self.isStraggler = isStraggler
  }

  /// Lets `body` modify the draft in place.
  mutating func change(_ body: (inout EpochDraft) -> Void) { body(&self) }

  /// Whether the draft contains a fix.
  var hasFix: Bool {
    isReportedValid && !isReportedInvalid && latitudeNanodegrees != nil && longitudeNanodegrees != nil
  }

  /// Whether the messages of this epoch report an accuracy or a dilution.
  var reportsAccuracy: Bool {
    evidence.ellipse != nil || evidence.horizontalAccuracyMeters != nil || evidence.horizontalError50Meters != nil
      || evidence.horizontalDilution != nil || evidence.positionDilution != nil
  }

  /// Whether the messages show if the fix is 2D or 3D.
  var reportsDimensions: Bool { isTwoDimensional != nil || hasHeight }

  /// If no message reports the dimension, a height makes the fix 3D, unless fewer than four satellites are reported as
  /// used.
  var isThreeDimensional: Bool { isTwoDimensional.map { !$0 } ?? (hasHeight && countedAsUsed.map { $0 >= 4 } ?? true) }

  private var hasHeight: Bool { meanSeaLevelMillimeters != nil || ellipsoidMillimeters != nil }

  /// The kind of fix, derived from all messages.
  var fixKind: FixKind {
    let threeDimensional = isThreeDimensional
    // A manually entered position is not computed from satellites.
    if reportsManual, kind == nil, (countedAsUsed ?? 0) < 4 { return .estimated }
    switch kind {
    case .rtkFixed?: return .rtkFixed
    case .rtkFloat?: return .rtkFloat
    case .estimated?: return .estimated
    case .differential? where threeDimensional: return .differential
    case .differential?, .twoDimensional?, .threeDimensional?, nil:
      return threeDimensional ? .threeDimensional : .twoDimensional
    }
  }

  /// Records that a message reports a fix, and its kind beyond 2D and 3D. The strongest reported kind counts; one solution is
  /// never both estimated and carrier phase.
  mutating func raise(_ kind: FixKind?) {
    withFix.formUnion(talker)
    guard let kind, kind.rawValue > (self.kind?.rawValue ?? 0) || self.kind == nil else { return }
    self.kind = kind
  }

  /// Records that a message reports no fix.
  mutating func markInvalid() { withoutFix.formUnion(talker) }

  /// Sets the number of satellites used. The first number is kept, unless `replaces` is set, or the first is from a message
  /// without a fix (`isVoid`) and this one is not.
  mutating func setSatellitesUsed(_ count: Int?, isVoid: Bool = false, replaces: Bool = false) {
    guard let count, satellitesUsed == nil || replaces || isNumberOfVoid && !isVoid else { return }
    satellitesUsed = count
    isNumberOfVoid = isVoid
  }

  /// Records that a message calls the position manual input. Phones report this for positions that their chip computed from
  /// satellites, so the number of satellites decides.
  mutating func raiseManual() {
    raise(nil)
    reportsManual = true
  }

  /// Whether the draft contains a list of satellites, but no position, quality or motion.
  var isSkyAlone: Bool {
    listsSatellites && !isReportedValid && !isReportedInvalid && evidence == AccuracyEvidence()
      && speedMetersPerSecond == nil
      && courseDegrees == nil && !listsUsed && isTwoDimensional == nil
  }

  /// Takes over the list of satellites of another draft.
  mutating func takeSky(of other: EpochDraft) {
    listsSatellites = other.listsSatellites
    satellitesInView = other.satellitesInView
    satellitesTracked = other.satellitesTracked
    satellites = other.satellites
  }

  /// Adds a satellite in view, counted once however many of its signals are listed. `code`: the signal, by the numbers in
  /// NMEA's table 21.
  mutating func addSatellite(
    _ id: SatelliteID?, signal: UInt8, elevation: Int8?, azimuth: Int16?, code: UInt8? = nil, isUsed: Bool? = nil,
    isHealthy: Bool? = nil
  ) {
    listsSatellites = true
    guard let id else { return }
    if satellites.count < Self.maximumObservations {
      if satellites.isEmpty { satellites.reserveCapacity(48) }
      satellites.append(
        SatelliteObservation(
          id: id, elevationDegrees: elevation, azimuthDegrees: azimuth.flatMap { (0...360).contains($0) ? $0 : nil },
          signalDecibelHertz: signal > 0 ? signal : nil, code: code, isUsed: isUsed, isHealthy: isHealthy))
    }
    satellitesInView.insert(id)
    if signal > 0 { satellitesTracked.insert(id) }
  }

  /// Adds a satellite that a list reports as used; `nil`: an unknown satellite number.
  mutating func addUsed(_ id: SatelliteID?) {
    guard let id else {
      listsUnknownUsed = true
      return
    }
    usedSatellites.insert(id)
  }

  /// The listed satellites with all their data; `nil` if no list was received.
  var observations: [SatelliteObservation]? {
    guard listsSatellites else { return nil }
    guard listsUsed else { return satellites }
    var satellites = satellites
    for index in satellites.indices where satellites[index].isUsed == nil {
      satellites[index].isUsed = usedSatellites.contains(satellites[index].id) ? true : listsUnknownUsed ? nil : false
    }
    return satellites
  }

  /// Sets a position in the current datum unless a message of better rank has set one already.
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

  /// Sets the position unless a message of better rank has set one already.
  mutating func setPosition(latitude: Int64, longitude: Int64, rank: PositionRank, decimals: UInt8 = 0) {
    guard rank > positionRank || rank == positionRank && decimals >= positionDecimals else { return }
    positionDecimals = decimals
    latitudeNanodegrees = latitude
    longitudeNanodegrees = longitude
    positionRank = rank
  }

  /// Sets speed and course unless a message of better rank has set them already.
  mutating func setMotion(speedMetersPerSecond speed: Double?, courseDegrees course: Double?, rank: MotionRank) {
    guard rank >= motionRank, speed != nil || course != nil else { return }
    speedMetersPerSecond = speed
    courseDegrees = course
    motionRank = rank
  }
}
