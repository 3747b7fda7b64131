import CAllocationCounter
import Geodesy
import Testing
import TestSupport
import TimeService

/// The filter with simulated bursts. It was tuned with the seeds 1 to 5; these tests use others.
@Suite struct OffsetFilterTests {
  static let seeds: [UInt64] = [101, 202, 303, 404]

  private func filtered(_ bursts: SimulatedBursts, seconds: Int = 600, after: Double = 0) -> [Double] {
    var bursts = bursts
    return bursts.run(seconds: seconds).filter { $0.second >= after }.compactMap(\.error)
  }

  @Test(arguments: seeds) func withoutJitter(seed: UInt64) {
    let errors = filtered(SimulatedBursts(seed: seed))
    let figures = Statistics(errors)
    // From the third epoch on, one offset per second.
    #expect(errors.count >= 597)
    #expect(figures.deviation <= 0.3e-3, "\(figures)")
    #expect(abs(figures.mean + 0.1) < 1e-3, "\(figures)")
  }

  @Test(arguments: seeds) func normalJitterOfEightMilliseconds(seed: UInt64) {
    var bursts = SimulatedBursts(seed: seed)
    bursts.jitter = .normal(8e-3)
    let figures = Statistics(filtered(bursts))
    #expect(figures.deviation <= 2e-3, "\(figures)")
  }

  @Test(arguments: seeds) func exponentialJitterOfEightMilliseconds(seed: UInt64) {
    var bursts = SimulatedBursts(seed: seed)
    bursts.jitter = .exponential(8e-3)
    let figures = Statistics(filtered(bursts))
    #expect(figures.deviation <= 2e-3, "\(figures)")
    // The fastest bursts are close to the true delay.
    #expect(abs(figures.mean + 0.1) < 3e-3, "\(figures)")
  }

  @Test(arguments: seeds) func baudRatesAgree(seed: UInt64) {
    func mean(_ baud: Int) -> Double {
      var bursts = SimulatedBursts(seed: seed)
      bursts.baud = baud
      return Statistics(filtered(bursts)).mean
    }
    #expect(abs(mean(9600) - mean(115_200)) <= 1e-3)
  }

  @Test(arguments: seeds) func fiveHertz(seed: UInt64) {
    var bursts = SimulatedBursts(seed: seed)
    bursts.rate = 5
    bursts.baud = 115_200
    let errors = filtered(bursts)
    #expect(errors.count >= 597)
    #expect(Statistics(errors).deviation <= 0.5e-3)
  }

  /// A raw clock at the end of its specification, and one that is right.
  @Test(arguments: [-100e-6, 0, 100e-6]) func rawClocks(rawError: Double) {
    var bursts = SimulatedBursts(seed: 77)
    bursts.rawError = rawError
    #expect(Statistics(filtered(bursts)).deviation <= 0.3e-3)
  }

  @Test func wideScatterGivesNothing() {
    var bursts = SimulatedBursts(seed: 9)
    bursts.jitter = .normal(60e-3)
    let results = bursts.run(seconds: 120)
    #expect(results.filter { $0.second > 10 }.allSatisfy { $0.error == nil })
    guard case .tooWide(let spread)? = results.last?.outcome else {
      Issue.record("not too wide")
      return
    }
    #expect(spread > OffsetFilter.largestSpreadSeconds)
  }

  /// The system's clock is stepped by an hour and slewed by 500 ppm: the raw clock does not notice, and the offsets follow at once.
  @Test func followsTheSystemClock() {
    let bursts = SimulatedBursts(seed: 11)
    var filter = OffsetFilter()
    var last: FilteredOffset?
    for second in 0..<60 {
      var reading = bursts.reading(at: Double(second) + 0.1)
      if second >= 40 { reading.system = reading.system + .seconds(3600) + .microseconds(500 * (second - 40)) }
      let time = bursts.reading(at: Double(second)).system + .seconds(3.2)
      if case .offset(let offset) = filter.handle(RawSample(time: time, arrival: reading)) { last = offset }
    }
    // True minus system: 3.2 s at the start, minus the step, the slew and the delay.
    #expect(abs((last?.offsetSeconds ?? 0) - (3.1 - 3600 - 19 * 500e-6)) < 1e-3)
  }

  /// A receiver that is wrong by a second for a while does not move the line; one that stays so begins a new one.
  @Test func wrongSeconds() {
    let bursts = SimulatedBursts(seed: 12)
    var filter = OffsetFilter()
    func feed(_ second: Int, shift: Int) -> OffsetFilter.Outcome {
      let time = bursts.reading(at: Double(second + shift)).system
      return filter.handle(RawSample(time: time, arrival: bursts.reading(at: Double(second) + 0.1)))
    }
    for second in 0..<20 { _ = feed(second, shift: 0) }
    #expect((20..<25).allSatisfy { feed($0, shift: 1) == .offLine })
    guard case .offset(let offset) = feed(25, shift: 0) else {
      Issue.record("the line is lost")
      return
    }
    #expect(abs(offset.offsetSeconds + 0.1) < 1e-3)
    let outcomes = (26..<46).map { feed($0, shift: -1) }
    #expect(outcomes.prefix(15).allSatisfy { $0 == .offLine })
    guard case .offset(let later)? = outcomes.last else {
      Issue.record("no new line")
      return
    }
    #expect(abs(later.offsetSeconds + 1.1) < 2e-3)
  }

  /// The receiver's delay changes: the line follows within a minute.
  @Test func changedDelay() {
    let bursts = SimulatedBursts(seed: 13)
    var filter = OffsetFilter()
    var last: FilteredOffset?
    for second in 0..<160 {
      let delay = second < 100 ? 0.1 : 0.13
      let sample = RawSample(
        time: bursts.reading(at: Double(second)).system, arrival: bursts.reading(at: Double(second) + delay))
      if case .offset(let offset) = filter.handle(sample) { last = offset }
    }
    #expect(abs((last?.offsetSeconds ?? 0) + 0.13) < 1e-3)
  }

  /// After a suspension the raw clock has stopped for its time.
  @Test func suspension() {
    let bursts = SimulatedBursts(seed: 14)
    var filter = OffsetFilter()
    for second in 0..<20 {
      let sample = RawSample(
        time: bursts.reading(at: Double(second)).system, arrival: bursts.reading(at: Double(second) + 0.1))
      _ = filter.handle(sample)
    }
    var reading = bursts.reading(at: 30.1)
    reading.rawNanoseconds -= 9_000_000_000
    #expect(filter.handle(RawSample(time: bursts.reading(at: 30).system, arrival: reading)) == .waiting)
  }

  @Test(.enabled(if: CAllocationCounter_isAvailable(), "a sanitizer brings its own allocator"))
  func aSampleAllocatesNothing() {
    var bursts = SimulatedBursts(seed: 15)
    bursts.rate = 10
    let samples = (0..<3000).map { index in
      let second = Double(index) / 10
      let delay = 0.1 + Double.random(in: 0...0.01, using: &bursts.random)
      return RawSample(time: bursts.reading(at: second).system, arrival: bursts.reading(at: second + delay))
    }
    var allocations: UInt64 = 0
    var offsets = 0
    // The first pass allocates what the runtime creates only once.
    for _ in 1...2 {
      var filter = OffsetFilter()
      offsets = 0
      CAllocationCounter_start()
      // By index: in a debug build, the iterator of a slice allocates.
      for index in samples.indices {
        if case .offset = filter.handle(samples[index]) { offsets += 1 }
      }
      allocations = CAllocationCounter_stop()
    }
    #expect(allocations == 0)
    #expect(offsets == 300)
  }
}
