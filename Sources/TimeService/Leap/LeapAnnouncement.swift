package import Geodesy
package import WireFormats

/// Whether the current day ends with a leap second, with the numbers that chrony and NTP use (RFC 5905, figure 9).
package enum LeapIndicator: UInt8, Hashable, Sendable, CaseIterable {
  case none = 0
  /// The last minute of the day has 61 seconds.
  case insert = 1
  /// The last minute of the day has 59 seconds.
  case delete = 2
}

/// A leap second that a receiver announces with UBX-NAV-TIMELS. NMEA announces none, and a value of the firmware or
/// from an augmentation system is not used.
package struct LeapAnnouncement: Hashable, Sendable {
  package let indicator: LeapIndicator
  /// When the leap second happens.
  package let eventAt: Instant

  /// A leap second is announced only for the last hours of its day, not for months, because an error in a satellite's
  /// data would be passed on for as long.
  package static let longestTimeAhead: Duration = .seconds(12 * 3600)

  /// `nil`: the message announces no leap second from a GNSS.
  package init?(_ message: NavTIMELS, at now: Instant) {
    guard message.changeSource.isConstellation, let seconds = message.secondsToChange, seconds > 0 else { return nil }
    switch message.change {
    case 1: indicator = .insert
    case -1: indicator = .delete
    default: return nil
    }
    eventAt = now + .seconds(Int64(seconds))
  }

  /// The indicator to send at `now`.
  package func indicator(at now: Instant) -> LeapIndicator {
    now < eventAt && eventAt - now < Self.longestTimeAhead ? indicator : .none
  }
}
