package import Geodesy

/// Chooses the sources to run from the clients' requests and from the sources' results.
///
/// Satellites are the default. While there are requests, they stay off only if Wi-Fi meets every request, if the machine stands
/// still where satellites are no more accurate than Wi-Fi, or if every request is unhurried and Wi-Fi is tried first. They are
/// switched on at once when none of these conditions holds any more.
package struct PowerPlanner: Sendable {
  /// The inputs of the machine.
  package enum Input: Hashable, Sendable {
    /// All active requests.
    case demands([PowerDemand])
    /// A complete epoch of a receiver: its 68 % radius, `nil` without a fix.
    case satellites(radius68: Meters?)
    case wifi(WiFiScanSummary)
    /// Whether a Wi-Fi radio is present.
    case radio(isThere: Bool)
    /// Upper bound of the machine's speed, meters per second; `nil`: not known. 0: it stands still.
    case speedBound(Double?)
    /// `nextDeadline` was reached. Sending this early is harmless.
    case wake
  }

  private struct Scan {
    var outlook: WiFiScanSummary
    var at: Instant
    /// Start of the period in which all scans were of one place.
    var sameSince: Instant
  }

  private let limits: PowerLimits
  private var demand: JoinedDemand?
  private var scan: Scan?
  private var hasRadio = false
  /// Start of the period in which every request has been unhurried.
  private var unhurriedSince: Instant?
  private var speedBound: Double?
  /// Radius of the last satellite fix; `nil`: no fix, or the satellites are off.
  private var satelliteRadius: Meters?
  /// Start of the period in which satellites have been no more accurate than Wi-Fi; `nil`: they are more accurate, or off, or there
  /// is no current Wi-Fi position.
  private var uselessSince: Instant?
  private var onSince: Instant?
  /// When the satellites were switched off because the machine stands still; determines when they are tried again.
  private var switchedOffAt: Instant?
  private var trialEnd: Instant?
  /// The current plan.
  package private(set) var plan = PowerPlan.nothing

  package init(_ limits: PowerLimits = PowerLimits()) { self.limits = limits }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    if plan.reason == .askingWiFi, let end = askingEnd { return end }
    // Without a scan the satellites are on, and the plan does not change without input.
    guard demand != nil, let scan else { return nil }
    var next = earlier(nil, trialEnd ?? switchedOffAt.map { $0 + limits.trialPeriod })
    guard scan.outlook.radius68 != nil else { return next }
    next = earlier(next, scan.at + freshness)
    guard plan.satellites != .off else { return next }
    next = earlier(next, uselessSince.map { max($0, scan.sameSince) + limits.stillness })
    return earlier(next, onSince.map { $0 + limits.leastOn })
  }

  /// The earlier of two deadlines; `b` is ignored if it had already passed when the plan was made.
  private func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let b, b > decidedAt else { return a }
    return a.map { min($0, b) } ?? b
  }

  /// When the plan was made.
  private var decidedAt = Instant(nanoseconds: .min)

  /// Handles one input; returns the plan if it has changed.
  package mutating func handle(_ input: Input, at now: Instant) -> PowerPlan? {
    switch input {
    case .demands(let demands):
      demand = JoinedDemand(demands)
      unhurriedSince = demand?.isUnhurried == true ? unhurriedSince ?? now : nil
    case .radio(let isThere): hasRadio = isThere
    case .satellites(let radius): record(radius, at: now)
    case .wifi(let outlook):
      let sameSince = outlook.isSamePlace ? scan?.sameSince ?? now : now
      scan = Scan(outlook: outlook, at: now, sameSince: sameSince)
      // At another place the satellites may be received.
      if !outlook.isSamePlace { (uselessSince, switchedOffAt, trialEnd) = (nil, nil, nil) }
    case .speedBound(let bound):
      speedBound = bound
      if bound != 0 { (switchedOffAt, trialEnd) = (nil, nil) }
    case .wake: break
    }
    let next = decide(at: now)
    decidedAt = now
    guard next != plan else { return nil }
    if (next.satellites == .off) != (plan.satellites == .off) { onSince = next.satellites == .off ? nil : now }
    if next.satellites == .off { (uselessSince, satelliteRadius) = (nil, nil) }
    plan = next
    return next
  }

  /// Records a satellite result and whether it is more accurate than Wi-Fi.
  private mutating func record(_ radius: Meters?, at now: Instant) {
    satelliteRadius = radius
    guard let wifi = freshRadius(at: now) else { return uselessSince = nil }
    if let radius, radius < wifi {
      (uselessSince, switchedOffAt, trialEnd) = (nil, nil, nil)
    } else {
      uselessSince = uselessSince ?? now
    }
  }

  private func freshRadius(at now: Instant) -> Meters? {
    guard let scan, now - scan.at < freshness else { return nil }
    return scan.outlook.radius68
  }

  /// How long a scan counts as current.
  package var freshness: Duration { scanPeriod + limits.scanDelay }

  private var scanPeriod: Duration { isStill ? limits.scanPeriod.still : limits.scanPeriod.moving }

  /// Interval of scans that record nearby access points; `nil`: no accurate satellite position to record them at, or Wi-Fi is
  /// scanned anyway.
  package var learningPeriod: Duration? {
    guard plan.satellites != .off, plan.wifiPeriod == nil, hasGoodSatellites else { return nil }
    return isStill ? limits.learningPeriod.still : limits.learningPeriod.moving
  }

  private var hasGoodSatellites: Bool { satelliteRadius.map { $0 < limits.goodRadius } ?? false }

  /// Whether the machine is known to stand still: from the speed while satellites give one, from Wi-Fi while they are off. While
  /// satellites are on but give no fix, the speed is not known: assuming a standstill would space the scans minutes apart and leave
  /// the clients without a position.
  private var isStill: Bool {
    switchedOffAt != nil || speedBound == 0 && (plan.satellites == .off || satelliteRadius != nil)
  }

  // MARK: - The plan

  private mutating func decide(at now: Instant) -> PowerPlan {
    guard let demand else {
      (switchedOffAt, trialEnd) = (nil, nil)
      return .nothing
    }
    let mayChange = onSince.map { now - $0 >= limits.leastOn } ?? true
    if demand.needsSatellites {
      return PowerPlan(satellites: .on, wifiPeriod: nil, reason: .satellites)
    }
    let wanted = demand.radius68
    let wifi = freshRadius(at: now)
    if let wanted, let wifi, !demand.navigates {
      // Wi-Fi in use stays in use until it is too coarse; otherwise it has to be clearly good enough.
      let isServing = if case .wifiSuffices = plan.reason { true } else { false }
      if wifi <= wanted * (isServing ? 1 : limits.margin), isServing || mayChange {
        return PowerPlan(satellites: .off, wifiPeriod: scanPeriod, reason: .wifiSuffices(wifi))
      }
    }
    if let reason = standing(at: now, mayChange) {
      return PowerPlan(satellites: reason == .trial ? .on : .off, wifiPeriod: scanPeriod, reason: reason)
    }
    if isAskingWiFi(demand, at: now) {
      return PowerPlan(satellites: .off, wifiPeriod: limits.scanPeriod.moving, reason: .askingWiFi)
    }
    let needsWiFi = !hasGoodSatellites || wanted.map { $0 >= limits.leastWiFiRadius } ?? false
    return PowerPlan(
      satellites: sparing(demand).map { .sparing($0) } ?? .on, wifiPeriod: needsWiFi ? scanPeriod : nil,
      reason: .accuracy(wanted))
  }

  /// The deadline for Wi-Fi to give a position before satellites are switched on.
  private var askingEnd: Instant? { unhurriedSince.map { $0 + limits.patienceForWiFi } }

  /// Whether to wait for Wi-Fi before satellites are switched on; `false` if a recent scan has already failed to meet the requests.
  private func isAskingWiFi(_ demand: JoinedDemand, at now: Instant) -> Bool {
    guard hasRadio, demand.isUnhurried, plan.satellites == .off, let end = askingEnd, now < end else { return false }
    return scan.map { now - $0.at >= freshness } ?? true
  }

  /// Returns a reason if the machine stands still where satellites are no better than Wi-Fi, or if the satellites are being tried
  /// again.
  private mutating func standing(at now: Instant, _ mayChange: Bool) -> PowerPlan.Reason? {
    guard freshRadius(at: now) != nil, let scan, speedBound ?? 0 == 0 else {
      (switchedOffAt, trialEnd) = (nil, nil)
      return nil
    }
    if let end = trialEnd {
      guard now >= end else { return .trial }
      (trialEnd, switchedOffAt) = (nil, now)
    }
    if let switchedOffAt {
      guard now - switchedOffAt >= limits.trialPeriod else { return .stillOnWiFi }
      trialEnd = now + limits.trial
      return .trial
    }
    guard mayChange, let uselessSince, now - max(uselessSince, scan.sameSince) >= limits.stillness else { return nil }
    switchedOffAt = now
    return .stillOnWiFi
  }

  /// How long the receiver may sleep if all its requests are patient: the time the machine needs to move by the requested radius.
  /// `nil`: it has to stay on.
  private func sparing(_ demand: JoinedDemand) -> Duration? {
    guard let wanted = demand.radius68, wanted >= limits.sparingRadius, demand.isPatient else { return nil }
    let speed = max(speedBound ?? limits.greatestSpeed, 0.1)
    // In the foreground the user sees the position, so it is updated twice as often.
    let seconds = (wanted.value / speed / (demand.isInBackground ? 1 : 2)).rounded()
    let period = Duration.seconds(min(seconds, 3600))
    return period < limits.sparing.lowerBound ? nil : min(period, limits.sparing.upperBound)
  }
}

/// The thresholds and intervals that determine which sources run. All values are ours: Apple states none.
package struct PowerLimits: Sendable {
  /// Interval of scans while the machine moves and while it stands still. Each scan takes the radio off its network; results of
  /// other programs' scans cost nothing.
  package var scanPeriod: (moving: Duration, still: Duration) = (.seconds(30), .seconds(300))
  /// Interval of scans that record nearby access points while satellites give the position, with a radio that is not connected to a
  /// network: in a town a car moves a hundred meters in ten seconds, the range of an access point.
  package var learningPeriod: (moving: Duration, still: Duration) = (.seconds(10), .seconds(300))
  /// A scan that is late by less than this still counts as current.
  package var scanDelay: Duration = .seconds(10)
  /// How long unhurried requests wait for Wi-Fi before satellites are switched on: a scan takes some seconds.
  package var patienceForWiFi: Duration = .seconds(15)
  /// With satellite fixes better than this, Wi-Fi is scanned only for requests that Wi-Fi alone could meet (`leastWiFiRadius`).
  package var goodRadius = Meters(20)
  /// A request for a smaller radius than this cannot be met by Wi-Fi alone.
  package var leastWiFiRadius = Meters(50)
  /// How long the machine has to stand still without any gain from the satellites before they are switched off. A cold receiver
  /// under open sky needs 36 s to its first fix, twice that indoors near a window.
  package var stillness: Duration = .seconds(120)
  /// Interval at which the satellites are then tried again: a window may be opened or a car pushed out of a garage without any
  /// change in the scans.
  package var trialPeriod: Duration = .seconds(15 * 60)
  /// Duration of that trial: twice a hot start.
  package var trial: Duration = .seconds(30)
  /// Minimum on time, so that a radius that fluctuates around the limit does not toggle the source.
  package var leastOn: Duration = .seconds(60)
  /// Wi-Fi has to be better than the requested radius by this factor before it takes over.
  package var margin = 0.8
  /// A requested radius of at least this lets the receiver sleep between fixes.
  package var sparingRadius = Meters(100)
  /// Assumed speed if the motion is not known: a car on a motorway, meters per second.
  package var greatestSpeed = 40.0
  /// Shortest and longest sleep: a shorter one saves nothing (UBX power save mode needs 1 s to settle), and in a longer one the
  /// orbit data becomes stale.
  package var sparing: ClosedRange<Duration> = .seconds(2)...Duration.seconds(60)

  package init() {}
}
