package import Geodesy

/// Which sources run, how often, and why (Documentation/Behavior.md, "Power": the service picks the cheapest that can meet what is
/// wanted).
package struct PowerPlan: Hashable, Sendable {
  /// What the receivers of satellites do.
  package enum Satellites: Hashable, Sendable {
    case off
    /// Awake all the time.
    case on
    /// They may sleep, and give a position each so often.
    case sparing(Duration)
  }

  /// Why it is so.
  package enum Reason: Hashable, Sendable {
    /// Nobody wants to know where the machine is.
    case nobody
    /// Somebody wants the best, or this 68 % radius, which nothing else can give.
    case accuracy(Meters?)
    /// Somebody wants the satellites themselves.
    case satellites
    /// The position by Wi-Fi is as good as anybody wants it.
    case wifiSuffices(Meters)
    /// It stands still where satellites say no more than Wi-Fi does.
    case stillOnWiFi
    /// Nobody is in a hurry, and it is seen first whether Wi-Fi says enough.
    case askingWiFi
    /// It stands still, and it is tried whether the satellites say more again.
    case trial
  }

  package var satellites: Satellites
  /// How often Wi-Fi is scanned; `nil`: not for this.
  package var wifiPeriod: Duration?
  package var reason: Reason

  package init(satellites: Satellites, wifiPeriod: Duration?, reason: Reason) {
    self.satellites = satellites
    self.wifiPeriod = wifiPeriod
    self.reason = reason
  }

  /// Nothing runs.
  package static let nothing = PowerPlan(satellites: .off, wifiPeriod: nil, reason: .nobody)
}
