package import Geodesy

/// Picks the sources that run, by what clients ask and by what the sources give.
///
/// Satellites are the default: they are left off only where something else answers everybody, and come back at once when it does
/// not any more, or when somebody asks for more.
package struct PowerPlanner: Sendable {
  /// What the machine is told.
  package enum Input: Hashable, Sendable {
    /// All requests that are under way.
    case demands([PowerDemand])
    /// A complete epoch of a receiver: its radius, `nil` without a fix.
    case satellites(radius68: Meters?)
    case wifi(WiFiOutlook)
    /// How fast the machine may be, metres per second; `nil`: nobody knows. 0: it stands still.
    case speedBound(Double?)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  private struct Scan {
    var outlook: WiFiOutlook
    var at: Instant
    /// Since when scans have been of one place.
    var sameSince: Instant
  }

  private let limits: PowerLimits
  private var demands: [PowerDemand] = []
  private var scan: Scan?
  private var speedBound: Double?
  /// What satellites gave last; `nil`: no fix, or they are off.
  private var satelliteRadius: Meters?
  /// Since when satellites have said no more than Wi-Fi does; `nil`: they do say more, or are not asked.
  private var uselessSince: Instant?
  private var onSince: Instant?
  /// When the satellites were let go for standing still; they are tried anew by this.
  private var letGoAt: Instant?
  private var trialEnd: Instant?
  /// As it stands.
  package private(set) var plan = PowerPlan.nothing

  package init(_ limits: PowerLimits = PowerLimits()) { self.limits = limits }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    guard !demands.isEmpty else { return nil }
    var deadlines: [Instant] = []
    if let trialEnd {
      deadlines.append(trialEnd)
    } else if let letGoAt {
      deadlines.append(letGoAt + limits.trialPeriod)
    }
    // Without scans satellites are on, and nothing changes by itself.
    if let scan, scan.outlook.radius68 != nil {
      deadlines.append(scan.at + freshness)
      if plan.satellites != .off {
        if let uselessSince { deadlines.append(max(uselessSince, scan.sameSince) + limits.stillness) }
        if let onSince { deadlines.append(onSince + limits.leastOn) }
      }
    }
    return deadlines.filter { $0 > decidedAt }.min()
  }

  /// When the plan was made: what was due then is behind.
  private var decidedAt = Instant(nanoseconds: .min)

  /// Takes one input; the new plan where it is another one.
  package mutating func handle(_ input: Input, at now: Instant) -> PowerPlan? {
    switch input {
    case .demands(let demands): self.demands = demands
    case .satellites(let radius): hear(radius, at: now)
    case .wifi(let outlook):
      let sameSince = outlook.isSamePlace ? scan?.sameSince ?? now : now
      scan = Scan(outlook: outlook, at: now, sameSince: sameSince)
      // Elsewhere the satellites may be heard.
      if !outlook.isSamePlace { (uselessSince, letGoAt, trialEnd) = (nil, nil, nil) }
    case .speedBound(let bound):
      speedBound = bound
      if bound != 0 { (letGoAt, trialEnd) = (nil, nil) }
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

  /// Whether a fix says more than Wi-Fi.
  private mutating func hear(_ radius: Meters?, at now: Instant) {
    satelliteRadius = radius
    guard let wifi = freshRadius(at: now) else { return uselessSince = nil }
    if let radius, radius < wifi {
      (uselessSince, letGoAt, trialEnd) = (nil, nil, nil)
    } else {
      uselessSince = uselessSince ?? now
    }
  }

  private func freshRadius(at now: Instant) -> Meters? {
    guard let scan, now - scan.at < freshness else { return nil }
    return scan.outlook.radius68
  }

  /// How long a scan tells of the present.
  private var freshness: Duration { scanPeriod + limits.scanDelay }

  private var scanPeriod: Duration { isStill ? limits.scanPeriod.still : limits.scanPeriod.moving }

  /// Whether it is known to stand still: by its speed while satellites tell it, by Wi-Fi while they are off.
  private var isStill: Bool { speedBound == 0 || letGoAt != nil }

  // MARK: - The plan

  private mutating func decide(at now: Instant) -> PowerPlan {
    guard !demands.isEmpty else {
      (letGoAt, trialEnd) = (nil, nil)
      return .nothing
    }
    let mayChange = onSince.map { now - $0 >= limits.leastOn } ?? true
    if demands.contains(where: \.needsSatellites) {
      return PowerPlan(satellites: .on, wifiPeriod: nil, reason: .satellites)
    }
    // By the most demanding one.
    let radii = demands.compactMap(\.sufficientRadius68)
    let wanted = radii.count == demands.count ? radii.min() : nil
    let wifi = freshRadius(at: now)
    if let wanted, let wifi, !demands.contains(where: \.navigates) {
      // What serves already serves until it is too coarse; what does not has to be clearly good enough.
      let isServing = if case .wifiSuffices = plan.reason { true } else { false }
      if wifi <= wanted * (isServing ? 1 : limits.margin), isServing || mayChange {
        return PowerPlan(satellites: .off, wifiPeriod: scanPeriod, reason: .wifiSuffices(wifi))
      }
    }
    if let reason = standing(at: now, mayChange) {
      return PowerPlan(satellites: reason == .trial ? .on : .off, wifiPeriod: scanPeriod, reason: reason)
    }
    let isGood = satelliteRadius.map { $0 < limits.goodRadius } ?? false
    let needsWiFi = !isGood || wanted.map { $0 >= limits.leastWiFiRadius } ?? false
    return PowerPlan(
      satellites: sparing(wanted).map { .sparing($0) } ?? .on, wifiPeriod: needsWiFi ? scanPeriod : nil,
      reason: .accuracy(wanted))
  }

  /// Whether it stands still where satellites are of no use; and whether they are being tried again.
  private mutating func standing(at now: Instant, _ mayChange: Bool) -> PowerPlan.Reason? {
    guard freshRadius(at: now) != nil, let scan, speedBound ?? 0 == 0 else {
      (letGoAt, trialEnd) = (nil, nil)
      return nil
    }
    if let end = trialEnd {
      guard now >= end else { return .trial }
      (trialEnd, letGoAt) = (nil, now)
    }
    if let letGoAt {
      guard now - letGoAt >= limits.trialPeriod else { return .stillOnWiFi }
      trialEnd = now + limits.trial
      return .trial
    }
    guard mayChange, let uselessSince, now - max(uselessSince, scan.sameSince) >= limits.stillness else { return nil }
    letGoAt = now
    return .stillOnWiFi
  }

  /// How long the receiver may sleep, where all that want it are patient: as long as the machine takes for what is wanted.
  private func sparing(_ wanted: Meters?) -> Duration? {
    guard let wanted, wanted >= limits.sparingRadius, demands.allSatisfy(\.isPatient) else { return nil }
    let isWatched = demands.contains { !$0.isInBackground }
    let speed = max(speedBound ?? limits.greatestSpeed, 0.1)
    // Whoever looks sees it twice as often.
    let seconds = (wanted.value / speed / (isWatched ? 2 : 1)).rounded()
    let period = Duration.seconds(min(seconds, 3600))
    return period < limits.sparing.lowerBound ? nil : min(period, limits.sparing.upperBound)
  }
}
