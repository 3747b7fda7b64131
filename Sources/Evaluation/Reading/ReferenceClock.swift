package import Geodesy

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
