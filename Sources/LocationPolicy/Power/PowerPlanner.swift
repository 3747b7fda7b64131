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
    /// Whether there is a radio for Wi-Fi.
    case radio(isThere: Bool)
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
  private var demand: JoinedDemand?
  private var scan: Scan?
  private var hasRadio = false
  /// Since when nobody who asks is in a hurry.
  private var unhurriedSince: Instant?
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
    if plan.reason == .askingWiFi, let end = askingEnd { return end }
    // Without scans satellites are on, and nothing changes by itself.
    guard demand != nil, let scan else { return nil }
    var next = earlier(nil, trialEnd ?? letGoAt.map { $0 + limits.trialPeriod })
    guard scan.outlook.radius68 != nil else { return next }
    next = earlier(next, scan.at + freshness)
    guard plan.satellites != .off else { return next }
    next = earlier(next, uselessSince.map { max($0, scan.sameSince) + limits.stillness })
    return earlier(next, onSince.map { $0 + limits.leastOn })
  }

  /// What was due when the plan was made is behind.
  private func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let b, b > decidedAt else { return a }
    return a.map { min($0, b) } ?? b
  }

  /// When the plan was made.
  private var decidedAt = Instant(nanoseconds: .min)

  /// Takes one input; the new plan where it is another one.
  package mutating func handle(_ input: Input, at now: Instant) -> PowerPlan? {
    switch input {
    case .demands(let demands):
      demand = JoinedDemand(demands)
      unhurriedSince = demand?.isUnhurried == true ? unhurriedSince ?? now : nil
    case .radio(let isThere): hasRadio = isThere
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
  package var freshness: Duration { scanPeriod + limits.scanDelay }

  private var scanPeriod: Duration { isStill ? limits.scanPeriod.still : limits.scanPeriod.moving }

  /// How often it is worth a scan to learn what is around; `nil`: satellites do not say where that is, or Wi-Fi is scanned anyway.
  package var learningPeriod: Duration? {
    guard plan.satellites != .off, plan.wifiPeriod == nil, hasGoodSatellites else { return nil }
    return isStill ? limits.learningPeriod.still : limits.learningPeriod.moving
  }

  private var hasGoodSatellites: Bool { satelliteRadius.map { $0 < limits.goodRadius } ?? false }

  /// Whether it is known to stand still: by its speed while satellites tell it, by Wi-Fi while they are off.
  /// Where satellites are asked and silent, nobody knows the speed any more: a scan that comes minutes later would leave everybody
  /// without a position.
  private var isStill: Bool { letGoAt != nil || speedBound == 0 && (plan.satellites == .off || satelliteRadius != nil) }

  // MARK: - The plan

  private mutating func decide(at now: Instant) -> PowerPlan {
    guard let demand else {
      (letGoAt, trialEnd) = (nil, nil)
      return .nothing
    }
    let mayChange = onSince.map { now - $0 >= limits.leastOn } ?? true
    if demand.needsSatellites {
      return PowerPlan(satellites: .on, wifiPeriod: nil, reason: .satellites)
    }
    let wanted = demand.radius68
    let wifi = freshRadius(at: now)
    if let wanted, let wifi, !demand.navigates {
      // What serves already serves until it is too coarse; what does not has to be clearly good enough.
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

  /// By when Wi-Fi is to have said what it knows.
  private var askingEnd: Instant? { unhurriedSince.map { $0 + limits.patienceForWiFi } }

  /// Whether Wi-Fi is heard before satellites are asked; not where it has just said that it does not know the place.
  private func isAskingWiFi(_ demand: JoinedDemand, at now: Instant) -> Bool {
    guard hasRadio, demand.isUnhurried, plan.satellites == .off, let end = askingEnd, now < end else { return false }
    return scan.map { now - $0.at >= freshness } ?? true
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
  private func sparing(_ demand: JoinedDemand) -> Duration? {
    guard let wanted = demand.radius68, wanted >= limits.sparingRadius, demand.isPatient else { return nil }
    let speed = max(speedBound ?? limits.greatestSpeed, 0.1)
    // Whoever looks sees it twice as often.
    let seconds = (wanted.value / speed / (demand.isInBackground ? 1 : 2)).rounded()
    let period = Duration.seconds(min(seconds, 3600))
    return period < limits.sparing.lowerBound ? nil : min(period, limits.sparing.upperBound)
  }
}

/// How long something has to last before another source is taken. All of these are ours: Apple states none.
package struct PowerLimits: Sendable {
  /// From one scan to the next while it moves, and while it stands still: each takes the radio away from its network, and other
  /// programs' scans come for nothing.
  package var scanPeriod: (moving: Duration, still: Duration) = (.seconds(30), .seconds(300))
  /// While satellites say where it is, what is around is learnt that often, by a radio that is on no network: in a town a car comes
  /// a hundred metres further in ten seconds, as far as an access point is heard.
  package var learningPeriod: (moving: Duration, still: Duration) = (.seconds(10), .seconds(300))
  /// A scan that is late by less still tells of the present.
  package var scanDelay: Duration = .seconds(10)
  /// Who is in no hurry waits for so long for what Wi-Fi says, before satellites are asked: a scan takes some seconds.
  package var patienceForWiFi: Duration = .seconds(15)
  /// With satellites this good nobody scans who would not do with Wi-Fi alone,
  package var goodRadius = Meters(20)
  /// which nobody does who wants more than this.
  package var leastWiFiRadius = Meters(50)
  /// As long has it to stand still, with nothing gained from the satellites, before they are let go. A cold receiver under a good
  /// sky takes 36 s to its first fix, twice that indoors near a window.
  package var stillness: Duration = .seconds(120)
  /// And this often it is tried anew, as windows are opened and cars pushed out of garages without a scan noticing it;
  package var trialPeriod: Duration = .seconds(15 * 60)
  /// for so long: twice a hot start.
  package var trial: Duration = .seconds(30)
  /// What has been switched on stays on for so long, so that a radius that wavers about the limit switches nothing.
  package var leastOn: Duration = .seconds(60)
  /// Wi-Fi has to be better than what is wanted by this share before it takes over.
  package var margin = 0.8
  /// A wish for at least this radius lets the receiver sleep between fixes.
  package var sparingRadius = Meters(100)
  /// What a car on a motorway moves in a second, metres, where nobody knows how the machine moves.
  package var greatestSpeed = 40.0
  /// The least and the longest sleep: shorter ones save nothing (UBX power save mode needs 1 s to settle), in longer ones the
  /// satellites' orbits become old.
  package var sparing: ClosedRange<Duration> = .seconds(2)...Duration.seconds(60)

  package init() {}
}
