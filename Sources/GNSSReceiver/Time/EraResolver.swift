package import Geodesy
import WireFormats

/// Corrects GPS week rollovers: a receiver whose firmware does not handle them reports dates 1024 weeks (or a multiple)
/// too early.
///
/// The week number in the GPS L1 C/A message has 10 bits (IS-GPS-200, 20.3.3.3.1.1). A date that lies more than
/// `daysOfSlack` before `floor` is impossible, so whole eras are added until the date does not. Any other date is used
/// as reported.
package struct EraResolver: Sendable {
  /// The latest day that is certain to be past: the later of the build date and the last confirmed time stored on disk. `nil`:
  /// none is certain (a replay of an old log).
  package var floor: CalendarDate?

  /// A resolver with this floor.
  package init(floor: CalendarDate?) { self.floor = floor }

  /// The clock that provided the floor may have been ahead: a date that is at most this many days before the floor has
  /// not lost an era.
  package static let daysOfSlack = 400
  /// Days in 1024 weeks.
  package static let daysPerEra = 7168

  /// The date plus whole eras, so that it is at most `daysOfSlack` before the floor; `nil` beyond the year 9999.
  package func resolve(_ date: CalendarDate) -> (date: CalendarDate, erasAdded: Int)? {
    guard let floor else { return (date, 0) }
    let missing = floor.daysSince1970 - Self.daysOfSlack - date.daysSince1970
    guard missing > 0 else { return (date, 0) }
    let eras = (missing + Self.daysPerEra - 1) / Self.daysPerEra
    guard let resolved = CalendarDate(daysSince1970: date.daysSince1970 + eras * Self.daysPerEra) else { return nil }
    return (resolved, eras)
  }

  /// The year of a two-digit year: 1980 (GPS time's start) … 2079. A receiver that reports "06" in 2026 has lost an era, which
  /// `resolve` corrects; it never means 2106.
  package static func fullYear(ofTwoDigits year: Int) -> Int { TwoDigitDate.fullYear(year) }
}

/// Decides when a receiver's date is confirmed: at once if the receiver confirms it, otherwise after three consecutive 3D fixes
/// with advancing times (gpsd's man page: "Verify 3 consecutive 3D fixes before believing it is UTC").
package struct TimeConfirmation: Sendable {
  private var consecutiveFixes = 0
  private var last: GNSSTime?

  /// A confirmation without any epoch yet.
  package init() {}

  /// Consecutive 3D fixes that confirm a date.
  package static let fixesToConfirm = 3
  /// The longest step between two of them that still counts as consecutive.
  package static let longestStep: Duration = .seconds(15)

  /// Handles the next epoch. `receiverConfirms`: `nil` if the receiver cannot report it.
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
