/// How far the time of a fix can be believed.
package enum TimeValidity: UInt8, Hashable, Comparable, Sendable {
  /// No time from the receiver: the time of arrival stands in for it.
  case none
  /// The receiver gave a time of day; the date is the machine's.
  case timeOfDayOnly
  /// Date and time of day from a receiver that has not confirmed them yet; leap seconds may be off.
  case dateUnconfirmed
  /// Confirmed: by the receiver itself (UBX `validDate`, `validTime`, `fullyResolved`) or by three consecutive 3D fixes
  /// inside the plausible era.
  case confirmed

  package static func < (a: TimeValidity, b: TimeValidity) -> Bool { a.rawValue < b.rawValue }
}
