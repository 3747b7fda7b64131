import Geodesy
import LocationPolicy
import TestSupport
import Testing

/// Which sources run, depending on the requests and on what the sources report; each test is a short day.
@Suite struct PowerPlannerTests {
  private var planner = PowerPlanner()
  private var now = Instant(nanoseconds: 0)

  private let best = PowerDemand()
  private let block = PowerDemand(sufficientRadius68: Meters(100))

  @discardableResult
  private mutating func handle(_ input: PowerPlanner.Input) -> PowerPlan {
    _ = planner.handle(input, at: now); return planner.plan
  }

  /// Simulates scans at one place and epochs of the receiver, second by second; returns the new plans with their times.
  private mutating func live(
    _ seconds: Int, satellites: Double?, wifi: Double? = nil, scanEvery: Int = 30
  ) -> [(at: Int, plan: PowerPlan)] {
    var plans: [(at: Int, plan: PowerPlan)] = []
    for second in 1...seconds {
      now = now + .seconds(1)
      if let deadline = planner.nextDeadline, deadline <= now, let plan = planner.handle(.wake, at: now) {
        plans.append((second, plan))
      }
      if planner.plan.satellites != .off,
        let plan = planner.handle(.satellites(radius68: satellites.map { Meters($0) }), at: now)
      {
        plans.append((second, plan))
      }
      if let wifi, second % scanEvery == 0,
        let plan = planner.handle(.wifi(WiFiScanSummary(radius68: Meters(wifi), isSamePlace: true)), at: now)
      {
        plans.append((second, plan))
      }
    }
    return plans
  }

  @Test mutating func nothingRunsWithoutClients() {
    #expect(planner.plan == .nothing)
    #expect(handle(.demands([best])).satellites == .on)
    #expect(handle(.demands([])) == .nothing)
    #expect(planner.nextDeadline == nil)
  }

  @Test mutating func theBestIsWhatSatellitesGive() {
    #expect(handle(.demands([best])) == PowerPlan(satellites: .on, wifiPeriod: .seconds(30), reason: .accuracy(nil)))
    // When the fixes are good, Wi-Fi is not needed beside them.
    let plans = live(600, satellites: 4, wifi: 25)
    #expect(plans.map(\.plan) == [PowerPlan(satellites: .on, wifiPeriod: nil, reason: .accuracy(nil))])
  }

  /// The receiver of a machine at rest is unplugged: Wi-Fi is scanned as often as if the speed were unknown …
  @Test mutating func theStillnessThatSatellitesToldGoesWithThem() {
    handle(.demands([best]))
    handle(.speedBound(0))
    _ = live(100, satellites: 4)
    #expect(planner.plan.wifiPeriod == nil && planner.learningPeriod == .seconds(300))
    #expect(handle(.satellites(radius68: nil)).wifiPeriod == .seconds(30))
    // … until Wi-Fi itself shows that the machine is at rest.
    _ = live(300, satellites: nil, wifi: 25)
    #expect(planner.plan.wifiPeriod == .seconds(300))
  }

  @Test mutating func whatWiFiGivesIsEnoughForABlock() {
    handle(.demands([block]))
    handle(.wifi(WiFiScanSummary(radius68: Meters(90), isSamePlace: true)))
    #expect(planner.plan.satellites != .off, "not clearly good enough")
    now = now + .seconds(60)
    #expect(handle(.wifi(WiFiScanSummary(radius68: Meters(79), isSamePlace: true))).reason == .wifiSuffices(Meters(79)))
    #expect(planner.plan.satellites == .off)
    // The radius fluctuates, and nothing is switched.
    for radius in [95.0, 60, 99] {
      now = now + .seconds(30)
      #expect(handle(.wifi(WiFiScanSummary(radius68: Meters(radius), isSamePlace: true))).satellites == .off)
    }
    // Too coarse; and a source that has been switched on stays on for a while.
    #expect(handle(.wifi(WiFiScanSummary(radius68: Meters(120), isSamePlace: true))).reason == .accuracy(Meters(100)))
    now = now + .seconds(30)
    #expect(handle(.wifi(WiFiScanSummary(radius68: Meters(40), isSamePlace: true))).satellites != .off)
    now = now + .seconds(30)
    #expect(handle(.wifi(WiFiScanSummary(radius68: Meters(40), isSamePlace: true))).satellites == .off)
  }

  @Test mutating func aHigherAccuracyRequestIsServedImmediately() {
    handle(.wifi(WiFiScanSummary(radius68: Meters(40), isSamePlace: true)))
    #expect(handle(.demands([block])).satellites == .off)
    #expect(
      handle(.demands([block, best])) == PowerPlan(satellites: .on, wifiPeriod: .seconds(30), reason: .accuracy(nil)))
    var sky = PowerDemand()
    sky.needsSatellites = true
    #expect(handle(.demands([block, sky])).reason == .satellites)
    var car = block
    car.navigates = true
    #expect(handle(.demands([car])).satellites == .on)
  }

  @Test mutating func scansThatEndAreNoPosition() {
    handle(.wifi(WiFiScanSummary(radius68: Meters(40), isSamePlace: true)))
    #expect(handle(.demands([block])).satellites == .off)
    #expect(planner.nextDeadline == now + .seconds(40))
    now = now + .seconds(40)
    #expect(handle(.wake).reason == .accuracy(Meters(100)))
  }

  /// At a desk by the window: the radius by Wi-Fi is 30 m, that of the satellites is 45 m, or there is no fix.
  @Test(arguments: [45.0, nil])
  mutating func satellitesSwitchOffIndoorsAndAreRetried(satellites: Double?) {
    handle(.demands([best]))
    handle(.speedBound(0))
    let plans = live(3600, satellites: satellites, wifi: 30)
    let off = plans.filter { $0.plan.reason == .stillOnWiFi }.map(\.at)
    let trials = plans.filter { $0.plan.reason == .trial }.map(\.at)
    // Two minutes after the first scan; afterwards, half a minute in every quarter of an hour.
    #expect(off.first.map { (150...152).contains($0) } == true, "\(plans)")
    #expect(trials.count == 3)
    for (rest, trial) in zip(off, trials) { #expect(trial - rest == 900) }
    for (trial, rest) in zip(trials, off.dropFirst()) { #expect(rest - trial == 30) }
    #expect(plans.allSatisfy { ($0.plan.satellites == .off) == ($0.plan.reason == .stillOnWiFi) })
  }

  @Test mutating func aTrialThatSucceedsIsKept() {
    handle(.demands([best]))
    handle(.speedBound(0))
    _ = live(200, satellites: nil, wifi: 30)
    #expect(planner.plan.reason == .stillOnWiFi)
    let plans = live(1200, satellites: 6, wifi: 30)
    #expect(plans.count { $0.plan.reason == .trial } == 1)
    #expect(planner.plan.satellites == .on && planner.plan.reason == .accuracy(nil))
  }

  @Test mutating func aNewPlaceIsCheckedWithAllSources() {
    handle(.demands([best]))
    _ = live(200, satellites: nil, wifi: 30)
    #expect(planner.plan.reason == .stillOnWiFi, "by Wi-Fi alone")
    #expect(handle(.wifi(WiFiScanSummary(radius68: Meters(30), isSamePlace: false))).satellites == .on)
    // A machine that is known to move is not still.
    _ = live(200, satellites: nil, wifi: 30)
    #expect(planner.plan.reason == .stillOnWiFi)
    #expect(handle(.speedBound(3)).satellites == .on)
    #expect(live(600, satellites: nil, wifi: 30).allSatisfy { $0.plan.satellites == .on })
  }

  /// The requested radius, the speed, whether somebody watches, and how long the receiver may sleep.
  @Test(
    arguments: [
      (10.0, nil, true, nil), (99, nil, false, nil), (100, nil, false, 3), (100, nil, true, nil), (1000, nil, true, 13),
      (1000, nil, false, 25), (3000, nil, false, 60), (100, 3.0, true, 17), (100, 0, true, 60),
    ] as [(Double, Double?, Bool, Int?)])
  mutating func coarseRequestsLetTheSourcesSleep(radius: Double, speed: Double?, isWatched: Bool, seconds: Int?) {
    handle(.speedBound(speed))
    let demand = PowerDemand(sufficientRadius68: Meters(radius), isInBackground: !isWatched)
    let plan = handle(.demands([demand]))
    #expect(plan.satellites == (seconds.map { .sparing(.seconds($0)) } ?? .on))
    // A request that does not wait keeps the receiver awake for all.
    var fast = demand
    fast.rateHertz = 1
    #expect(handle(.demands([demand, fast])).satellites == .on)
  }

  /// For any inputs in any order: no request is left without a source that can satisfy it, and nothing is switched twice within
  /// half a minute unless the requests, the place or Wi-Fi itself changed.
  @Test func hysteresisHoldsUnderNoise() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<50 {
      var planner = PowerPlanner()
      var now = Instant(nanoseconds: 0)
      _ = planner.handle(.demands([block]), at: now)
      var switches: [Instant] = []
      for _ in 0..<2000 {
        now = now + .seconds(5)
        let before = planner.plan.satellites == .off
        let wasTrial = planner.plan.reason == .trial
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          let radius = Meters(Double.random(in: 60...120, using: &random))
          _ = planner.handle(.wifi(WiFiScanSummary(radius68: radius, isSamePlace: true)), at: now)
        case 1: _ = planner.handle(.satellites(radius68: before ? nil : Meters(150)), at: now)
        default: _ = planner.handle(.wake, at: now)
        }
        guard (planner.plan.satellites == .off) != before else { continue }
        // Switched on immediately, but off only after it was on for a minute; a trial ends sooner.
        if !before, !wasTrial { #expect(switches.last.map { now - $0 >= .seconds(60) } ?? true) }
        switches.append(now)
      }
      #expect(switches.count < 2000 * 5 / 60)
    }
  }
}
