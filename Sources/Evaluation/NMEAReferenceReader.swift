package import Geodesy
import WireFormats

/// Reads a reference from NMEA: the positions of its GGA, with the date of the first RMC or ZDA that tells one. Sentences
/// without a right checksum, and those without a position, are left out. Push any part of the file, then take `reference`.
package struct NMEAReferenceReader: Sendable {
  /// The most positions: nearly six days at 10 a second.
  package static let maximumPoints = 5_000_000

  private var decoder = WireDecoder()
  private var points: [ReferencePoint] = []
  /// Midnights since the first sentence, and the time of day of the latest one.
  private var midnights = 0
  private var latest: Int64?
  /// The date of the first sentence's day, as days since 1970.
  private var firstDay: Int?

  /// A reader at the beginning of a file.
  package init() {}

  /// Whether there were more positions than are kept.
  package private(set) var isOverfull = false

  /// Takes the next bytes of the file.
  package mutating func push(_ bytes: Span<UInt8>) {
    var messages: [NMEAMessage] = []
    decoder.push(bytes) { if case .nmea(let message, _) = $0 { messages.append(message) } }
    for message in messages {
      switch message {
      case .gga(let gga): take(gga)
      case .rmc(let rmc):
        guard let time = rmc.time, let date = rmc.date else { continue }
        // Two digits of the year: those of satellite navigation.
        let year = Int(date.year) + (date.year < 80 ? 2000 : 1900)
        take(CalendarDate(year: year, month: Int(date.month), day: Int(date.day)), at: time)
      case .zda(let zda): if let time = zda.time { take(zda.date, at: time) }
      default: continue
      }
    }
  }

  /// What was read so far.
  package var reference: Reference {
    guard let firstDay else { return Reference(points: points, clock: .timeOfDay) }
    let shift = Duration.seconds(firstDay * 86_400)
    return Reference(
      points: points.map { ReferencePoint(time: $0.time + shift, coordinate: $0.coordinate) }, clock: .calendar)
  }

  private mutating func take(_ gga: GGA) {
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

  private mutating func take(_ date: CalendarDate?, at time: TimeOfDay) {
    _ = counted(time)
    guard firstDay == nil, let date else { return }
    firstDay = date.daysSince1970 - midnights
  }

  /// A time of day on a clock that begins at the first sentence's midnight and does not fall back at the next ones: half a
  /// day is the most that two sentences may be apart.
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

/// What the times of a log or of a reference count from.
package enum ReferenceClock: Hashable, Sendable {
  /// UTC with its date.
  case calendar
  /// UTC time of day; nobody knows of which.
  case timeOfDay
  /// Seconds since a beginning that the file does not tell: a midnight, the GPS week's, or its own.
  case seconds

  /// The clock of a table that begins at `first`: before the GPS began, on 1980-01-06 (IS-GPS-200 §3.3.4), seconds are no
  /// date.
  package init(ofTableFrom first: GNSSTime) {
    self = first.nanosecondsSince1970 >= 315_964_800_000_000_000 ? .calendar : .seconds
  }

  /// How many days are to be added to a reference of this clock that covers `reference`, so that it is beside a log of
  /// `clock` that begins at `start`. Where both know their dates, and between two tables, times mean the same. Otherwise the
  /// log is taken to begin within the reference, or, where no whole days can bring that about, as near to its beginning as they
  /// can.
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

/// A reference as its file tells it, before it is put beside a log.
package struct Reference: Sendable {
  /// In any order.
  package var points: [ReferencePoint]
  /// What their times count from.
  package var clock: ReferenceClock

  package init(points: [ReferencePoint], clock: ReferenceClock) {
    self.points = points
    self.clock = clock
  }

  /// The track beside a log of `clock` that begins at `start`; see `ReferenceClock.days`.
  package func track(beside clock: ReferenceClock, from start: GNSSTime) -> ReferenceTrack {
    guard let first = points.map(\.time).min(), let last = points.map(\.time).max() else { return ReferenceTrack([]) }
    let days = self.clock.days(of: first...last, beside: clock, from: start)
    guard days != 0 else { return ReferenceTrack(points) }
    let shift = Duration.seconds(days * 86_400)
    return ReferenceTrack(points.map { ReferencePoint(time: $0.time + shift, coordinate: $0.coordinate) })
  }
}
