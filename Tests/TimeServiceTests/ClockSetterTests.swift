import Geodesy
import Testing
import TimeService

@Suite struct ClockSetterTests {
  /// 2026-03-01, the true time at the start.
  private static let start: Int64 = 1_772_323_200_000_000_000

  private func circumstances(_ change: (inout ClockCircumstances) -> Void = { _ in }) -> ClockCircumstances {
    var circumstances = ClockCircumstances()
    circumstances.isEnabled = true
    circumstances.buildDate = CalendarDate(year: 2026, month: 1, day: 15)
    change(&circumstances)
    return circumstances
  }

  private func at(_ second: Double) -> Instant { Instant(nanoseconds: Int64(second * 1e9)) }

  /// A second whose first byte arrives `jitter` late.
  private func confirmed(_ second: Double, clockOff: Double, jitter: Double = 0) -> ClockSetter.Input {
    let arrival = Int64(((second + jitter) * 1e9).rounded())
    return .confirmed(
      time: GNSSTime(nanosecondsSince1970: Self.start + Int64(second * 1e9)),
      reading: ClockReading(
        system: GNSSTime(nanosecondsSince1970: Self.start + arrival + Int64(clockOff * 1e9)),
        monotonic: Instant(nanoseconds: arrival), rawNanoseconds: arrival))
  }

  /// The actions of confirmed seconds.
  private func run(
    _ setter: inout ClockSetter, _ seconds: Range<Int>, clockOff: Double, jitter: (Int) -> Double = { _ in 0 }
  ) -> [(second: Int, action: ClockSetter.Action)] {
    seconds.flatMap { second in
      setter.handle(confirmed(Double(second), clockOff: clockOff, jitter: jitter(second)), at: at(Double(second)))
        .map { (second, $0) }
    }
  }

  private func machine(_ change: (inout ClockCircumstances) -> Void = { _ in }) -> ClockSetter {
    var setter = ClockSetter()
    _ = setter.handle(.circumstances(circumstances(change)), at: at(0))
    return setter
  }

  private static let years = -6.0 * 31_557_600

  @Test func setsTheClockOfAMachineWithoutOne() throws {
    var setter = machine()
    let actions = run(&setter, 0..<60, clockOff: Self.years, jitter: { $0 % 2 == 0 ? 0.02 : -0.02 })
    guard actions.count == 1, case .set(let change)? = actions.first?.action else {
      Issue.record("\(actions)")
      return
    }
    #expect(actions.first?.second == 9)
    #expect(abs(change.offset.inSeconds - 189_345_600) < 0.001)
    #expect(abs((change.to - GNSSTime(nanosecondsSince1970: Self.start + 8_980_000_000)).inSeconds) < 0.001)
    #expect(change.to - change.from == change.offset)
    // Once: then never again, also after another jump of the clock.
    #expect(setter.handle(.finished(isSet: true), at: at(60)) == [.refused(.alreadySet)])
    #expect(run(&setter, 61..<120, clockOff: Self.years).isEmpty)
  }

  @Test func triesAgainAfterAFailure() {
    var setter = machine()
    #expect(run(&setter, 0..<20, clockOff: -100).count == 1)
    #expect(setter.handle(.finished(isSet: false), at: at(20)).isEmpty)
    let again = run(&setter, 20..<40, clockOff: -100)
    #expect(again.count == 1 && again.first?.second == 29)
  }

  @Test func offByDefault() {
    var setter = ClockSetter()
    #expect(setter.handle(confirmed(0, clockOff: -100), at: at(0)) == [.refused(.disabled)])
    #expect(run(&setter, 1..<60, clockOff: -100).isEmpty)
    var disabled = ClockSetter()
    #expect(disabled.handle(.circumstances(circumstances { $0.isEnabled = false }), at: at(0)) == [.refused(.disabled)])
    #expect(run(&disabled, 1..<60, clockOff: -100).isEmpty)
  }

  @Test func leftToOthers() {
    func refusal(_ change: (inout ClockCircumstances) -> Void) -> [ClockSetter.Action] {
      var setter = ClockSetter()
      let actions = setter.handle(.circumstances(circumstances(change)), at: at(0))
      return actions + run(&setter, 0..<30, clockOff: -100).map(\.action)
    }
    #expect(refusal { $0.hasChrony = true } == [.refused(.leftToChrony)])
    #expect(refusal { $0.wasSetSinceBoot = true } == [.refused(.alreadySet)])
    #expect(
      refusal {
        $0.hasActiveTimeService = true
        $0.isSynchronized = true
      } == [.refused(.keptByOther)])
    // systemd-timesyncd without a network has never synchronized the clock.
    #expect(refusal { $0.hasActiveTimeService = true }.contains { if case .set = $0 { true } else { false } })
    #expect(refusal { $0.isSynchronized = true }.contains { if case .set = $0 { true } else { false } })
  }

  @Test func tenConsecutiveSeconds() {
    var setter = machine()
    #expect(run(&setter, 0..<9, clockOff: -100).isEmpty)
    // A second is missing, and an epoch that is not confirmed: each begins again.
    #expect(run(&setter, 10..<19, clockOff: -100).isEmpty)
    #expect(setter.handle(.unconfirmed, at: at(19)).isEmpty)
    #expect(run(&setter, 19..<28, clockOff: -100).isEmpty)
    #expect(run(&setter, 28..<29, clockOff: -100).count == 1)
  }

  @Test func epochsOfOneSecondCountOnce() {
    var setter = machine()
    var first: Double?
    for epoch in 0..<100 where first == nil {
      let second = Double(epoch) / 5
      if !setter.handle(confirmed(second, clockOff: -100), at: at(second)).isEmpty { first = second }
    }
    #expect(first == 9)
  }

  @Test func secondsThatDisagree() {
    var setter = machine()
    #expect(run(&setter, 0..<60, clockOff: -100, jitter: { $0 % 5 == 0 ? 0.21 : 0 }).isEmpty)
    #expect(!run(&setter, 60..<80, clockOff: -100, jitter: { $0 % 5 == 0 ? 0.19 : 0 }).isEmpty)
  }

  /// Another program sets the clock meanwhile.
  @Test func aStepBeginsAgain() {
    var setter = machine()
    #expect(run(&setter, 0..<9, clockOff: -100).isEmpty)
    #expect(run(&setter, 9..<18, clockOff: -100.1).isEmpty)
    #expect(run(&setter, 18..<19, clockOff: -100.1).count == 1)
  }

  @Test func bounds() {
    func outcome(_ clockOff: Double, _ change: (inout ClockCircumstances) -> Void = { _ in }) -> ClockSetter.Action? {
      var setter = machine(change)
      return run(&setter, 0..<12, clockOff: clockOff).first?.action
    }
    func isSet(_ action: ClockSetter.Action?) -> Bool { if case .set? = action { true } else { false } }
    #expect(outcome(-1.9) == .refused(.smallError) && outcome(1.9) == .refused(.smallError))
    #expect(isSet(outcome(-2.1)) && isSet(outcome(2.1)))
    #expect(isSet(outcome(86_300)) && outcome(86_500) == .refused(.tooFarBack))
    #expect(outcome(-100) { $0.buildDate = CalendarDate(year: 2026, month: 3, day: 2) } == .refused(.implausible))
    #expect(outcome(-100) { $0.buildDate = nil } == .refused(.implausible))
    #expect(outcome(-100) { $0.buildDate = CalendarDate(year: 2006, month: 2, day: 1) } == .refused(.implausible))
    #expect(isSet(outcome(-100) { $0.buildDate = CalendarDate(year: 2006, month: 4, day: 1) }))
    let later = GNSSTime(nanosecondsSince1970: Self.start + 3600 * 1_000_000_000)
    #expect(outcome(-100) { $0.lastGoodTime = later } == .refused(.implausible))
    #expect(outcome(-100) { $0.newestFileTime = later } == .refused(.implausible))
  }

  @Test func notUnderInterference() {
    var setter = machine()
    #expect(run(&setter, 0..<9, clockOff: -100).isEmpty)
    #expect(setter.handle(.interference(true), at: at(9)) == [.refused(.interference)])
    #expect(run(&setter, 9..<60, clockOff: -100).isEmpty)
    #expect(setter.handle(.interference(false), at: at(60)).isEmpty)
    let actions = run(&setter, 60..<80, clockOff: -100)
    #expect(actions.count == 1 && actions.first?.second == 69)
  }
}
