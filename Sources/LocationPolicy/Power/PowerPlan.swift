package import Geodesy

/// The sources to run, their intervals, and the reason (Documentation/Behavior.md, "Power": the service picks the
/// cheapest that can meet the requests).
package struct PowerPlan: Hashable, Sendable {
  /// The power mode of the satellite receivers.
  package enum Satellites: Hashable, Sendable {
    case off
    /// On all the time.
    case on
    /// They may sleep, and give a position at this interval.
    case sparing(Duration)
  }

  /// The reason for the plan.
  package enum Reason: Hashable, Sendable {
    /// No client requests a position.
    case noClient
    /// A client requests the best accuracy, or this 68 % radius, which only satellites can give.
    case accuracy(Meters?)
    /// A client requests satellite data.
    case satellites
    /// The Wi-Fi position is accurate enough for all requests.
    case wifiSuffices(Meters)
    /// The machine stands still where satellites are no more accurate than Wi-Fi.
    case stillOnWiFi
    /// All requests are unhurried; Wi-Fi is tried before the satellites.
    case askingWiFi
    /// The machine stands still, and the satellites are being tried again.
    case trial
  }

  package var satellites: Satellites
  /// Interval of Wi-Fi scans; `nil`: no scans for positions.
  package var wifiPeriod: Duration?
  package var reason: Reason

  package init(satellites: Satellites, wifiPeriod: Duration?, reason: Reason) {
    self.satellites = satellites
    self.wifiPeriod = wifiPeriod
    self.reason = reason
  }

  /// All sources off.
  package static let nothing = PowerPlan(satellites: .off, wifiPeriod: nil, reason: .noClient)
}

/// The part of a request that determines which sources run.
package struct PowerDemand: Hashable, Sendable {
  /// The 68 % radius that is good enough; `nil`: the best available.
  package var sufficientRadius68: Meters?
  /// Requested updates per second; `nil`: as many as the sources give, and no more.
  package var rateHertz: Int?
  /// Whether it is for live navigation, where a late position is wrong.
  package var navigates: Bool
  /// Whether a client waits for it, and needs only one fix.
  package var isWaitedFor: Bool
  /// Whether its client is in the background, where the user does not see it.
  package var isInBackground: Bool
  /// Whether only satellites can meet it: a sky view, a capture.
  package var needsSatellites: Bool
  /// Whether it can wait for the result of Wi-Fi.
  package var isUnhurried = false

  /// By default the best accuracy, as it comes, for a client in the foreground.
  package init(
    sufficientRadius68: Meters? = nil, rateHertz: Int? = nil, navigates: Bool = false, isWaitedFor: Bool = false,
    isInBackground: Bool = false, needsSatellites: Bool = false
  ) {
    self.sufficientRadius68 = sufficientRadius68
    self.rateHertz = rateHertz
    self.navigates = navigates
    self.isWaitedFor = isWaitedFor
    self.isInBackground = isInBackground
    self.needsSatellites = needsSatellites
  }

  /// Whether occasional coarse positions meet it.
  var isPatient: Bool {
    sufficientRadius68 != nil && rateHertz == nil && !navigates && !isWaitedFor && !needsSatellites
  }
}

/// All requests combined.
struct JoinedDemand: Hashable {
  /// The smallest requested radius; `nil`: the best available.
  var radius68: Meters?
  var needsSatellites = false
  var navigates = false
  var isPatient = true
  var isInBackground = true
  var isUnhurried = true

  /// `nil`: there are no requests.
  init?(_ demands: [PowerDemand]) {
    guard let first = demands.first else { return nil }
    radius68 = first.sufficientRadius68
    for demand in demands {
      if let least = radius68 { radius68 = demand.sufficientRadius68.map { min($0, least) } }
      needsSatellites = needsSatellites || demand.needsSatellites
      navigates = navigates || demand.navigates
      isPatient = isPatient && demand.isPatient
      isInBackground = isInBackground && demand.isInBackground
      isUnhurried = isUnhurried && demand.isUnhurried
    }
  }
}

/// The result of one Wi-Fi scan, as far as it determines which sources run.
package struct WiFiScanSummary: Hashable, Sendable {
  /// Radius of the position; `nil`: the scan gives none.
  package var radius68: Meters?
  /// Whether it is the place of the previous scan: most access points with a strong signal are the same.
  package var isSamePlace: Bool

  package init(radius68: Meters?, isSamePlace: Bool) {
    self.radius68 = radius68
    self.isSamePlace = isSamePlace
  }
}
