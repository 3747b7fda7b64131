import Geodesy
import Testing

@Suite struct InstantTests {
  private let start = Instant(nanoseconds: 5_000_000_000)

  @Test func addsAndSubtracts() {
    #expect(start + .milliseconds(1500) == Instant(nanoseconds: 6_500_000_000))
    #expect(start - .seconds(7) == Instant(nanoseconds: -2_000_000_000))
    #expect(start + .seconds(2) - start == .seconds(2))
    #expect(start - (start + .nanoseconds(1)) == .nanoseconds(-1))
    #expect(start < start + .nanoseconds(1))
  }

  @Test func saturatesAtTheClocksEnds() {
    let last = Instant(nanoseconds: .max)
    let first = Instant(nanoseconds: .min)
    #expect(last + .nanoseconds(1) == last)
    #expect(start + .seconds(Int64.max) == last)
    #expect(Instant(nanoseconds: -1) - .seconds(Int64.max) == first)
    #expect(Instant(nanoseconds: -1) + .seconds(Int64.min) == first)
    #expect(first - .nanoseconds(1) == first)
    #expect(last - first == .nanoseconds(Int64.max))
    #expect(first - last == .nanoseconds(Int64.min))
  }

  @Test(arguments: [
    (Duration.zero, 0), (.nanoseconds(-1), -1), (.seconds(-1.5), -1_500_000_000),
    (Duration(secondsComponent: 0, attosecondsComponent: 999_999_999), 0),
    (Duration(secondsComponent: 0, attosecondsComponent: -999_999_999), 0),
    (.seconds(9_223_372_036), 9_223_372_036_000_000_000),
    (.seconds(9_223_372_037), Int.max), (.seconds(-9_223_372_037), Int.min),
  ])
  func wholeNanosecondsRoundTowardsZeroAndSaturate(duration: Duration, nanoseconds: Int) {
    #expect(duration.wholeNanoseconds == Int64(nanoseconds))
  }

  @Test func durationInSeconds() {
    #expect(Duration.milliseconds(-2500).inSeconds == -2.5)
    #expect(Duration.nanoseconds(1).inSeconds == 1e-9)
  }
}
