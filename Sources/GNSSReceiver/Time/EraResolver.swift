package import Geodesy
import WireFormats

/// Undoes GPS week rollovers: a receiver whose firmware lost count tells dates 1024 weeks (or a multiple) too early.
///
/// The week number in the GPS L1 C/A message has 10 bits (IS-GPS-200, 20.3.3.3.1.1); a date before `floor` cannot be, so
/// whole eras are added until it is no longer. A date after the floor is taken as told.
package struct EraResolver: Sendable {
  /// The latest day that is certain to be past: the later of the build date and the last confirmed time kept on disk.
  /// `nil`: nothing is certain (a replay of an old log).
  package var floor: CalendarDate?

  /// A resolver with that floor.
  package init(floor: CalendarDate?) { self.floor = floor }

  /// A date that lies so little before the floor is no lost era: the floor was set by a clock that was ahead.
  package static let daysOfSlack = 400
  /// Days in 1024 weeks.
  package static let daysPerEra = 7168

  /// The date with whole eras added until it is not before the floor, or `nil` beyond the year 9999.
  package func resolve(_ date: CalendarDate) -> (date: CalendarDate, erasAdded: Int)? {
    guard let floor else { return (date, 0) }
    let missing = floor.daysSince1970 - Self.daysOfSlack - date.daysSince1970
    guard missing > 0 else { return (date, 0) }
    let eras = (missing + Self.daysPerEra - 1) / Self.daysPerEra
    guard let resolved = CalendarDate(daysSince1970: date.daysSince1970 + eras * Self.daysPerEra) else { return nil }
    return (resolved, eras)
  }

  /// The year that a two-digit one stands for: 1980 (GPS time's start) … 2079. A receiver that says "06" in 2026 has
  /// lost an era, which `resolve` gives back; it never means 2106.
  package static func fullYear(ofTwoDigits year: Int) -> Int { TwoDigitDate.fullYear(year) }
}

/// Decides when a receiver's date is believed: at once where the receiver vouches for it, else after three consecutive 3D
/// fixes one after the other in time (gpsd's man page: "Verify 3 consecutive 3D fixes before believing it is UTC").
package struct TimeConfirmation: Sendable {
  private var consecutiveFixes = 0
  private var last: GNSSTime?

  /// A confirmation that has seen nothing.
  package init() {}

  /// 3D fixes in a row that confirm a date.
  package static let fixesToConfirm = 3
  /// The longest step between two of them that still counts as "in a row".
  package static let longestStep: Duration = .seconds(15)

  /// Takes the next epoch. `receiverConfirms`: `nil` where the receiver has no way to say.
  package mutating func validity(
    of time: GNSSTime, hasDate: Bool, is3DFix: Bool, receiverConfirms: Bool?
  ) -> TimeValidity {
    let step = last.map { time - $0 }
    last = time
    let goesOn = step.map { $0 > .zero && $0 <= Self.longestStep } ?? true
    consecutiveFixes = is3DFix ? (goesOn ? min(consecutiveFixes + 1, Self.fixesToConfirm) : 1) : 0
    guard hasDate else { return .timeOfDayOnly }
    if let receiverConfirms { return receiverConfirms ? .confirmed : .dateUnconfirmed }
    return consecutiveFixes >= Self.fixesToConfirm ? .confirmed : .dateUnconfirmed
  }
}
