import Geodesy
import Testing
import TimeService

@Suite struct PulseTests {
  private func at(_ second: Double) -> Instant { Instant(nanoseconds: Int64(second * 1e9)) }

  private func clock(_ seconds: Int64, _ nanoseconds: Int64 = 0) -> GNSSTime {
    GNSSTime(nanosecondsSince1970: seconds * 1_000_000_000 + nanoseconds)
  }

  @Test func readsTheKernelsText() {
    #expect(
      PulseReading(assert: "1772323200.000012345#4711\n")
        == PulseReading(system: clock(1_772_323_200, 12_345), sequence: 4711))
    // The number has passed 2³¹; the kernel prints it with a sign.
    #expect(PulseReading(assert: "1.999999999#-1\n")?.sequence == .max)
  }

  @Test(arguments: [
    "", "\n", "0.000000000#0\n", "1772323200.000012345", "1772323200.12345#1", "1772323200#1", ".000000001#1",
    "x.000000001#1",
    "1772323200.000012345#", "1772323200.000012345#x", "1772323200.0000123456#1", "-1.000000001#1", "1.00000000a#1",
    "99999999999999.000000001#1", "1.000000001#99999999999", "1.000000001#--1", "1.000000001#1#2",
    "1772323200.000012345#1 and more text than the kernel ever writes",
  ])
  func refusesOtherText(text: String) { #expect(PulseReading(assert: text) == nil) }

  private func pair(_ system: GNSSTime, offset: Double, error: Double = 0) -> PulsePairing.Outcome {
    PulsePairing.pair(
      PulseReading(system: system, sequence: 1), messageOffsetSeconds: offset, quantizationSeconds: error)
  }

  @Test func findsTheSecond() throws {
    // The clock is 0.3 s ahead, and the messages show 0.1 s too little of it.
    guard case .paired(let pulse) = pair(clock(1000, 300_000_000), offset: -0.2) else {
      Issue.record("not paired")
      return
    }
    #expect(pulse.second == clock(1000) && abs(pulse.offsetSeconds + 0.3) < 1e-12)
    #expect(abs(pulse.distanceSeconds + 0.1) < 1e-9)
  }

  /// A clock that is years off.
  @Test func findsTheSecondFarAway() throws {
    guard case .paired(let pulse) = pair(clock(1000, 999_999_000), offset: 200_000_000.0000012) else {
      Issue.record("not paired")
      return
    }
    #expect(pulse.second == clock(200_001_001) && abs(pulse.distanceSeconds) < 1e-6)
  }

  @Test(arguments: [0.39, -0.39]) func nearEnough(error: Double) {
    guard case .paired(let pulse) = pair(clock(1000), offset: error) else {
      Issue.record("not paired")
      return
    }
    #expect(pulse.second == clock(1000) && abs(pulse.distanceSeconds + error) < 1e-9)
  }

  @Test(arguments: [0.41, -0.41]) func tooFar(error: Double) {
    guard case .tooFar(let distance) = pair(clock(1000), offset: error) else {
      Issue.record("paired")
      return
    }
    #expect(abs(distance + error) < 1e-9)
  }

  /// The error is added to the time of the pulse, so the clock is behind by less.
  @Test func appliesTheQuantizationError() {
    guard case .paired(let pulse) = pair(clock(999, 999_999_000), offset: 0, error: 8e-9) else {
      Issue.record("not paired")
      return
    }
    #expect(abs(pulse.offsetSeconds - (1e-6 - 8e-9)) < 1e-14)
  }

  @Test func quantizationErrorOfTheNextPulse() {
    var error = QuantizationError()
    #expect(error.takeSeconds(pulseAt: at(1)) == nil)
    error.announced(picoseconds: 3000, at: at(1.1))
    error.announced(picoseconds: -4567, at: at(1.3))
    #expect(abs((error.takeSeconds(pulseAt: at(2)) ?? 0) + 4567e-12) < 1e-18)
    // It was for that pulse alone.
    #expect(error.takeSeconds(pulseAt: at(2.1)) == nil)
    // A pulse that is read after the message that announces the next one.
    error.announced(picoseconds: 11, at: at(2.2))
    error.announced(picoseconds: 22, at: at(3.2))
    #expect(abs((error.takeSeconds(pulseAt: at(3)) ?? 0) - 11e-12) < 1e-18)
    #expect(abs((error.takeSeconds(pulseAt: at(4)) ?? 0) - 22e-12) < 1e-18)
    error.announced(picoseconds: 5, at: at(4.2))
    #expect(error.takeSeconds(pulseAt: at(6)) == nil)
    error.announced(picoseconds: nil, at: at(6.2))
    #expect(error.takeSeconds(pulseAt: at(7)) == nil)
    error.announced(picoseconds: .min, at: at(7.2))
    #expect(error.takeSeconds(pulseAt: at(8)) == nil)
  }

  // MARK: Findings

  private func run(
    _ monitor: inout PulseMonitor, _ seconds: Range<Int>, pulses: Bool, lock: Bool, distance: Double? = nil
  ) -> [(second: Int, action: PulseMonitor.Action)] {
    var actions: [(second: Int, action: PulseMonitor.Action)] = []
    for second in seconds {
      let now = at(Double(second))
      var inputs: [PulseMonitor.Input] = [.lock(lock)]
      let sequence = UInt32(pulses ? second + 1 : seconds.lowerBound)
      inputs.append(.pulse(PulseReading(system: clock(Int64(second)), sequence: sequence)))
      if let distance { inputs.append(.compared(distanceSeconds: distance, uncertaintySeconds: 0.01)) }
      for input in inputs { actions += monitor.handle(input, at: now).map { (second, $0) } }
    }
    return actions
  }

  @Test func pulsesWithALock() {
    var monitor = PulseMonitor()
    #expect(run(&monitor, 0..<200, pulses: true, lock: true, distance: 0.02).isEmpty)
  }

  @Test func lockWithoutAPulse() {
    var monitor = PulseMonitor()
    let found = run(&monitor, 0..<30, pulses: false, lock: true)
    #expect(found.map(\.action) == [.found(.lockWithoutPulse)] && found.first?.second == 10)
    let cleared = run(&monitor, 30..<40, pulses: true, lock: true)
    #expect(cleared.map(\.action) == [.cleared(.lockWithoutPulse)])
    // And lost again.
    #expect(run(&monitor, 40..<60, pulses: false, lock: true).map(\.action) == [.found(.lockWithoutPulse)])
  }

  /// The device has no pulse at all.
  @Test func noReading() {
    var monitor = PulseMonitor()
    var actions: [PulseMonitor.Action] = []
    for second in 0..<20 {
      actions += monitor.handle(.lock(true), at: at(Double(second)))
      actions += monitor.handle(.pulse(nil), at: at(Double(second)))
    }
    #expect(actions == [.found(.lockWithoutPulse)])
  }

  @Test func pulsesWithoutALock() {
    var monitor = PulseMonitor()
    _ = run(&monitor, 0..<20, pulses: true, lock: true)
    let found = run(&monitor, 20..<100, pulses: true, lock: false)
    #expect(found.map(\.action) == [.found(.pulseWithoutLock)] && found.first?.second == 80)
    #expect(run(&monitor, 100..<110, pulses: true, lock: true).map(\.action) == [.cleared(.pulseWithoutLock)])
  }

  @Test func pulsesBesideTheSecond() {
    var monitor = PulseMonitor()
    _ = run(&monitor, 0..<20, pulses: true, lock: true, distance: 0.3)
    #expect(monitor.findings == [.pulseOffSecond])
    #expect(
      run(&monitor, 20..<22, pulses: true, lock: true, distance: 0.01).map(\.action) == [.cleared(.pulseOffSecond)])
    // A single one is no finding, and neither is a distance that the uncertain delay explains.
    #expect(monitor.handle(.compared(distanceSeconds: 0.3, uncertaintySeconds: 0.01), at: at(22)).isEmpty)
    for _ in 0..<20 {
      #expect(monitor.handle(.compared(distanceSeconds: 0.3, uncertaintySeconds: 0.15), at: at(22)).isEmpty)
    }
  }
}
