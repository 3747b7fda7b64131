package import Geodesy
import WireFormats

/// Reads a reference from NMEA: the positions of its GGA sentences, with the date of the first RMC or ZDA that contains one.
/// Skips sentences with a wrong checksum or without a position. Push the file in any parts, then read `reference`.
package struct NMEAReferenceReader: Sendable {
  /// The maximum number of positions: nearly six days at 10 Hz.
  package static let maximumPoints = 5_000_000

  private var decoder = WireDecoder()
  private var points: [ReferencePoint] = []
  /// Midnights since the first sentence, and the time of day of the latest one.
  private var midnights = 0
  private var latest: Int64?
  /// The date of the first sentence, as days since 1970.
  private var firstDay: Int?

  /// A reader at the beginning of a file.
  package init() {}

  /// Whether the file had more than `maximumPoints` positions; the excess is dropped.
  package private(set) var isOverfull = false

  /// Reads the next bytes of the file.
  package mutating func push(_ bytes: Span<UInt8>) {
    var messages: [NMEAMessage] = []
    decoder.push(bytes) { if case .nmea(let message, _) = $0 { messages.append(message) } }
    for message in messages {
      switch message {
      case .gga(let gga): add(gga)
      case .rmc(let rmc):
        guard let time = rmc.time, let date = rmc.date else { continue }
        // RMC's year has two digits. Satellite navigation began in 1980, so 80 to 99 mean 1980 to 1999.
        let year = Int(date.year) + (date.year < 80 ? 2000 : 1900)
        add(CalendarDate(year: year, month: Int(date.month), day: Int(date.day)), at: time)
      case .zda(let zda): if let time = zda.time { add(zda.date, at: time) }
      default: continue
      }
    }
  }

  /// The reference that was read so far.
  package var reference: Reference {
    guard let firstDay else { return Reference(points: points, clock: .timeOfDay) }
    let shift = Duration.seconds(firstDay * 86_400)
    return Reference(
      points: points.map { ReferencePoint(time: $0.time + shift, coordinate: $0.coordinate) }, clock: .calendar)
  }

  private mutating func add(_ gga: GGA) {
    guard gga.quality != .invalid, let time = gga.time, let latitude = gga.latitudeNanodegrees,
      let longitude = gga.longitudeNanodegrees,
      let coordinate = Coordinate(
        checkingLatitude: Double(latitude) / 1e9, longitude: Double(longitude) / 1e9)
    else { return }
    guard points.count < Self.maximumPoints else {
      isOverfull = true
      return
    }
    points.append(ReferencePoint(time: counted(time), coordinate: coordinate))
  }

  private mutating func add(_ date: CalendarDate?, at time: TimeOfDay) {
    _ = counted(time)
    guard firstDay == nil, let date else { return }
    firstDay = date.daysSince1970 - midnights
  }

  /// Converts a time of day to the time since the midnight before the first sentence, counting later midnights. Consecutive
  /// sentences must be at most half a day apart.
  private mutating func counted(_ time: TimeOfDay) -> GNSSTime {
    let now = time.nanosecondsSinceMidnight
    let half = GNSSTime.nanosecondsPerDay / 2
    if let latest {
      if now < latest - half { midnights += 1 } else if now > latest + half { midnights -= 1 }
    }
    latest = now
    return GNSSTime(nanosecondsSince1970: Int64(midnights) * GNSSTime.nanosecondsPerDay + now)
  }
}

/// The origin of the times of a log or of a reference.
package enum ReferenceClock: Hashable, Sendable {
  /// UTC with a date.
  case calendar
  /// UTC time of day on an unknown date.
  case timeOfDay
  /// Seconds since a start that the file does not contain: midnight, the start of the GPS week, or the file's own.
  case seconds

  /// The clock of a table that begins at `first`. Seconds before the start of GPS time, 1980-01-06 (IS-GPS-200 §3.3.4), are not
  /// a date.
  package init(ofTableFrom first: GNSSTime) {
    self = first.nanosecondsSince1970 >= 315_964_800_000_000_000 ? .calendar : .seconds
  }

  /// The number of days to add to a reference with this clock that covers `reference`, to align it with a log with `clock`
  /// that begins at `start`. It is 0 if both have dates, and for two tables, whose times have the same origin. Otherwise it
  /// makes the log begin within the reference or, if no whole number of days does, as near to its beginning as possible.
  package func days(
    of reference: ClosedRange<GNSSTime>, beside clock: ReferenceClock, from start: GNSSTime
  ) -> Int {
    guard self == .timeOfDay || self != clock else { return 0 }
    let day = GNSSTime.nanosecondsPerDay
    let ahead = (start - reference.lowerBound).wholeNanoseconds
    let whole = Int((Double(ahead) / Double(day)).rounded(.down))
    let rest = ahead - Int64(whole) * day
    if rest <= (reference.upperBound - reference.lowerBound).wholeNanoseconds { return whole }
    return rest > day / 2 ? whole + 1 : whole
  }
}

/// A reference as read from its file, before it is aligned with a log.
package struct Reference: Sendable {
  /// The points, in any order.
  package var points: [ReferencePoint]
  /// The origin of their times.
  package var clock: ReferenceClock

  package init(points: [ReferencePoint], clock: ReferenceClock) {
    self.points = points
    self.clock = clock
  }

  /// The track, aligned with a log with `clock` that begins at `start`; see `ReferenceClock.days`.
  package func track(beside clock: ReferenceClock, from start: GNSSTime) -> ReferenceTrack {
    guard let first = points.map(\.time).min(), let last = points.map(\.time).max() else { return ReferenceTrack([]) }
    let days = self.clock.days(of: first...last, beside: clock, from: start)
    guard days != 0 else { return ReferenceTrack(points) }
    let shift = Duration.seconds(days * 86_400)
    return ReferenceTrack(points.map { ReferencePoint(time: $0.time + shift, coordinate: $0.coordinate) })
  }
}
