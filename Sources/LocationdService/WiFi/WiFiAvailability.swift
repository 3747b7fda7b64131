package import Positioning

/// Whether Wi-Fi may give positions.
enum WiFiAvailability: Hashable, Sendable {
  /// There is no radio.
  case absent
  /// No scan has been made yet for the current requests.
  case scanning
  /// The radio receives this many access points, and the position of none of them is known.
  case blind(received: Int)
  /// The last scan gave a position.
  case seeing

  /// Whether a position may still come.
  var isPromising: Bool {
    switch self {
    case .absent, .blind: false
    case .scanning, .seeing: true
    }
  }
}

/// What the service requires of the radio while a position is requested. It always uses other programs' scans, because they cost
/// nothing.
package struct WiFiRequirement: Hashable, Sendable {
  /// How often to scan if no other program does; `nil`: not at all.
  package var period: Duration?
  /// How often to scan only to learn access points, while the radio is connected to no network; `nil`: not at all.
  package var learningPeriod: Duration?

  package init(period: Duration?, learningPeriod: Duration? = nil) {
    (self.period, self.learningPeriod) = (period, learningPeriod)
  }
}

/// The result of one scan of the access points in range.
package struct WiFiScan: Hashable, Sendable {
  /// The position of the machine; `nil`: none of the access points is known.
  package var position: WiFiPosition?
  /// How many usable access points were received.
  package var received: Int
  /// Whether it is the place of the previous scan: most of the strong access points were received again.
  package var isSamePlace: Bool

  package init(position: WiFiPosition?, received: Int, isSamePlace: Bool) {
    self.position = position
    self.received = received
    self.isSamePlace = isSamePlace
  }
}
