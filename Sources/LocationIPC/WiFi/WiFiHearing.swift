package import Geodesy
package import Positioning
package import WireFormats

/// What the radio hears, and what that tells.
package struct WiFiHearing: Hashable, Sendable {
  /// Strongest first, at most `MessageLimits.accessPoints`.
  package var accessPoints: [HeardAccessPoint] = []
  /// Where the machine is by them; `nil`: none of them is known.
  package var coordinate: Coordinate?
  /// 68 % radius of that, > 0.
  package var horizontalRadius68: Meters?
  /// Why there are none, or only what others have scanned for.
  package var problem: RadioProblem?

  package init() {}
}

/// An access point that the radio hears. Its name is nobody's business.
package struct HeardAccessPoint: Hashable, Sendable {
  package var bssid: BSSID
  /// dBm; `nil` where the driver does not know.
  package var signalDecibelMilliwatts: Double?
  /// MHz; `nil` where it is not told.
  package var frequencyMegahertz: Int?
  /// Since its last beacon, ≥ 0.
  package var age: Duration
  /// Whether it is known where it is.
  package var isKnown: Bool

  package init(
    bssid: BSSID, signalDecibelMilliwatts: Double?, frequencyMegahertz: Int?, age: Duration, isKnown: Bool
  ) {
    self.bssid = bssid
    self.signalDecibelMilliwatts = signalDecibelMilliwatts
    self.frequencyMegahertz = frequencyMegahertz
    self.age = age
    self.isKnown = isKnown
  }
}

/// An access point of which it is known where it is.
package struct KnownAccessPoint: Hashable, Sendable {
  package var place: AccessPointPlace
  /// How often it was heard; `nil`: it was not learnt here.
  package var hearings: Int?
  /// The first and the last day that it was heard, days since 1970-01-01; `nil` likewise.
  package var days: ClosedRange<Int>?

  package init(place: AccessPointPlace, hearings: Int? = nil, days: ClosedRange<Int>? = nil) {
    self.place = place
    self.hearings = hearings
    self.days = days
  }
}
