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

/// What one request asks of the sources, as far as it decides which of them run.
package struct PowerDemand: Hashable, Sendable {
  /// The 68 % radius that is good enough; `nil`: the best that there is.
  package var sufficientRadius68: Meters?
  /// Updates a second that it would like; `nil`: as many as there are, and no more.
  package var rateHertz: Int?
  /// Whether it guides somebody along a way, now: a position that is late is wrong.
  package var navigates: Bool
  /// Whether somebody waits for it, and wants no more than one.
  package var isWaitedFor: Bool
  /// Whether its client is in the background, where nobody looks.
  package var isInBackground: Bool
  /// Whether only satellites answer it: a look at the sky, a capture.
  package var needsSatellites: Bool
  /// Whether it can wait until Wi-Fi has said what it knows.
  package var isUnhurried = false

  /// The best, as it comes, for somebody who looks.
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

  /// Whether a coarse position that comes now and then answers it.
  var isPatient: Bool {
    sufficientRadius68 != nil && rateHertz == nil && !navigates && !isWaitedFor && !needsSatellites
  }
}

/// What all requests together ask of the sources.
struct JoinedDemand: Hashable {
  /// By the most demanding one; `nil`: the best that there is.
  var radius68: Meters?
  var needsSatellites = false
  var navigates = false
  var isPatient = true
  var isInBackground = true
  var isUnhurried = true

  /// `nil`: nobody asks for anything.
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

/// What one scan of Wi-Fi tells of where the machine is, as far as it decides which sources run.
package struct WiFiOutlook: Hashable, Sendable {
  /// How good the position by it is; `nil`: it gives none.
  package var radius68: Meters?
  /// Whether it is the place of the scan before: most of what was heard strongly is heard again.
  package var isSamePlace: Bool

  package init(radius68: Meters?, isSamePlace: Bool) {
    self.radius68 = radius68
    self.isSamePlace = isSamePlace
  }
}
