import Geodesy
import WireFormats

/// What one epoch's messages have said so far. Each later message of equal or better rank overwrites the earlier; what no
/// message said stays `nil`.
struct EpochDraft: Sendable {
  // MARK: Time
  /// UTC nanoseconds since midnight.
  var nanosecondsOfDay: Int64?
  /// The date as told, before any era is given back.
  var date: CalendarDate?
  /// UBX: whether date and time are valid and fully resolved.
  var receiverConfirmsTime: Bool?
  /// UBX: GPS time of week in milliseconds.
  var timeOfWeekMilliseconds: UInt32?

  // MARK: Position
  var latitudeNanodegrees: Int64?
  var longitudeNanodegrees: Int64?
  /// Which message the position is from; a higher one wins.
  var positionRank = 0
  var ellipsoidMillimeters: Int64?
  var meanSeaLevelMillimeters: Int64?
  var geoidSeparationMillimeters: Int64?

  // MARK: Motion
  var speedMetersPerSecond: Double?
  var courseDegrees: Double?
  var motionRank = 0

  // MARK: Quality
  /// A message says that there is a fix.
  var saysValid = false
  /// A message says that there is none; that wins.
  var saysInvalid = false
  /// The strongest kind that a message names, before 2D is taken into account.
  var kind: FixKind?
  /// A message says that the height is held.
  var isTwoDimensional: Bool?
  var evidence = AccuracyEvidence()
  var satellitesUsed: Int?
  /// Satellites counted from lists of those used, where no message gives the number.
  var satellitesListedAsUsed = 0
  var isSimulated = false
  var isJammed = false

  // MARK: Sky
  var satellitesInView = SatelliteSet()
  var satellitesHeard = SatelliteSet()
  var listsSatellites = false

  // MARK: Arrival
  /// When the last byte that belongs to it arrived.
  var lastArrival: Instant
  /// Whether it was heard from its first message on.
  var isWhole: Bool
  var lastSignature: CycleEnd.Signature?

  /// A draft that begins with a message that arrived now.
  init(at now: Instant, isWhole: Bool) {
    lastArrival = now
    self.isWhole = isWhole
  }

  /// Whether a fix can be told from it.
  var hasFix: Bool {
    saysValid && !saysInvalid && latitudeNanodegrees != nil && longitudeNanodegrees != nil
  }

  /// Whether its own messages tell how good the position is.
  var tellsAccuracy: Bool {
    evidence.ellipse != nil || evidence.horizontalAccuracyMeters != nil || evidence.horizontalError50Meters != nil
      || evidence.horizontalDilution != nil || evidence.positionDilution != nil
  }

  /// The kind of fix by all that was said. Without a word on dimensions a height makes it 3D.
  var fixKind: FixKind {
    let hasHeight = meanSeaLevelMillimeters != nil || ellipsoidMillimeters != nil
    let threeDimensional = isTwoDimensional.map { !$0 } ?? hasHeight
    switch kind {
    case .rtkFixed?: return .rtkFixed
    case .rtkFloat?: return .rtkFloat
    case .estimated?: return .estimated
    case .differential? where threeDimensional: return .differential
    case .differential?, .twoDimensional?, .threeDimensional?, nil:
      return threeDimensional ? .threeDimensional : .twoDimensional
    }
  }

  /// Takes a position unless a better message gave one already.
  mutating func setPosition(latitude: Int64, longitude: Int64, rank: Int) {
    guard rank >= positionRank else { return }
    latitudeNanodegrees = latitude
    longitudeNanodegrees = longitude
    positionRank = rank
  }

  /// Takes speed and course unless a better message gave them already.
  mutating func setMotion(speedMetersPerSecond speed: Double?, courseDegrees course: Double?, rank: Int) {
    guard rank >= motionRank, speed != nil || course != nil else { return }
    speedMetersPerSecond = speed
    courseDegrees = course
    motionRank = rank
  }
}
