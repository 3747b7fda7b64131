import Geodesy
import LocationPolicy
import TestSupport
import Testing

/// Invariants for any input: at most one answer, in time, never with an old or a suspect fix, and the sources are stopped.
@Suite struct OneShotPropertyTests {
  @Test(arguments: 0..<16) func holdsWhateverComes(block: Int) {
    for seed in 0..<250 {
      var run = RandomRun(seed: UInt64(block * 250 + seed))
      run.play()
    }
  }
}

/// One random transcript, and every fix in it.
private struct RandomRun {
  private var random: SplitMix64
  private let seed: UInt64
  private let request: OneShotOptions
  private var machine: OneShot
  private var now = Instant.start
  private var offered: [PositionFix] = []
  /// When the first usable fix that was measured after the request came.
  private var firstFreshAt: Instant?
  private var starts = 0
  private var stops = 0
  private var endings = 0
  private var isCancelled = false

  init(seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed)
    request = OneShotOptions(
      desiredRadius68: Bool.random(using: &random) ? Meters(.random(in: 1...30, using: &random)) : nil,
      timeout: .milliseconds(Int.random(in: 1...90_000, using: &random)),
      maximumAge: [.zero, .seconds(2), .seconds(30)].randomElement(using: &random) ?? .zero,
      waitsForSource: Bool.random(using: &random),
      accuracyRule: AccuracyRule.allCases.randomElement(using: &random) ?? .converging)
    machine = OneShot(request)
  }

  mutating func play() {
    let last = Bool.random(using: &random) ? randomFix(age: 0...60_000) : nil
    give(.start(lastFix: last, isTracked: Bool.random(using: &random)))
    for _ in 0..<120 {
      let next = now + .milliseconds(Int.random(in: 1...1_500, using: &random))
      wakeUntil(next)
      now = next
      give(randomInput())
    }
    wakeUntil(now + .seconds(100))
    #expect(endings == (isCancelled ? 0 : 1), "seed \(seed)")
    #expect(starts == stops, "seed \(seed)")
    #expect(machine.nextDeadline == nil, "seed \(seed)")
  }

  /// Wakes the machine at each of its deadlines; the machine must not request an immediate wake-up without end.
  private mutating func wakeUntil(_ end: Instant) {
    while let deadline = machine.nextDeadline, deadline <= end {
      #expect(deadline > now, "seed \(seed)")
      now = max(now, deadline)
      give(.wake)
      guard machine.nextDeadline.map({ $0 > deadline }) ?? true else {
        Issue.record("seed \(seed): wants to be woken for ever")
        return
      }
    }
  }

  private mutating func randomInput() -> OneShot.Input {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<55: .fix(randomFix(age: 0...3_000), isTracked: Int.random(in: 0..<20, using: &random) == 0)
    case 55..<70: .satellites(inView: [nil, 0, 0, 5].randomElement(using: &random) ?? nil)
    case 70..<85: .sourcesChanged(available: Int.random(in: 0..<4, using: &random) > 0)
    case 85..<98: .wake
    default: .cancel
    }
  }

  private mutating func randomFix(age: ClosedRange<Int>) -> PositionFix {
    let age = Duration.milliseconds(Int.random(in: age, using: &random))
    let elapsed: Duration = now - .start
    let seconds = (elapsed - age).inSeconds
    var fix = PositionFix.at(
      seconds, radius: .random(in: 0.5...200, using: &random),
      speed: Bool.random(using: &random) ? .random(in: 0...40, using: &random) : nil,
      qualityFlag: Int.random(in: 0..<3, using: &random) == 0 ? .frozen : nil)
    // Two fixes never have the same epoch, because this run compares all fixes.
    fix.time = fix.time + .nanoseconds(offered.count)
    return fix
  }

  private mutating func give(_ input: OneShot.Input) {
    switch input {
    case .start(.some(let fix), _): offered.append(fix)
    case .fix(let fix, _):
      offered.append(fix)
      if fix.qualityFlag == nil, fix.receivedAt > .start { firstFreshAt = firstFreshAt ?? now }
    case .cancel where endings == 0: isCancelled = true
    case .start, .sourcesChanged, .satellites, .cancel, .wake: break
    }
    let actions = machine.handle(input, at: now)
    for (index, action) in actions.enumerated() {
      #expect(stops == 0, "seed \(seed): nothing after the end")
      switch action {
      case .startSources: starts += 1
      case .stopSources:
        stops += 1
        #expect(isCancelled || endings == 1, "seed \(seed)")
      case .deliver(let fix, let age, let isCached):
        end(followedByStop: index + 1 < actions.count)
        check(fix, age: age, isCached: isCached)
      case .fail: end(followedByStop: index + 1 < actions.count)
      }
    }
  }

  private mutating func end(followedByStop: Bool) {
    endings += 1
    #expect(!isCancelled && endings == 1, "seed \(seed)")
    #expect(followedByStop == (starts == 1), "seed \(seed)")
    #expect(now <= .start + request.timeout, "seed \(seed): in time")
  }

  private func check(_ fix: PositionFix, age: Duration, isCached: Bool) {
    #expect(fix.qualityFlag == nil, "seed \(seed)")
    #expect(age == now - fix.receivedAt, "seed \(seed)")
    #expect(isCached == (fix.receivedAt <= .start), "seed \(seed)")
    #expect(!isCached || (age <= request.maximumAge && request.maximumAge > .zero), "seed \(seed): never too old")
    if let desired = request.desiredRadius68, request.rule == .required {
      #expect(fix.horizontalRadius68 <= desired, "seed \(seed): never less accurate")
    }
    if let firstFreshAt, request.rule == .converging {
      #expect(now <= firstFreshAt + .seconds(10), "seed \(seed): ten seconds are enough")
    }
    guard offered.count <= HeldFixes.capacity else { return }
    let usable = offered.filter {
      $0.qualityFlag == nil
        && ($0.receivedAt > .start || (request.maximumAge > .zero && now - $0.receivedAt <= request.maximumAge))
    }
    let best = usable.map { $0.horizontalRadius68(at: now) }.min()
    #expect(fix.horizontalRadius68 == best, "seed \(seed): the best of all")
  }
}
