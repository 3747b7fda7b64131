import Geodesy
import LocationPolicy
import TestSupport
import Testing

/// Transcripts with one event per line.
@Suite struct UpdateFilterTests {
  /// A stream that has started its sources, at least one of which is available.
  private func running(_ request: UpdateOptions = UpdateOptions()) -> UpdateFilter {
    var machine = UpdateFilter(request)
    #expect(machine.handle(.start(lastFix: nil), at: .start) == [.startSources])
    #expect(machine.handle(.sourcesChanged(available: true), at: .start) == [])
    return machine
  }

  /// The action that delivers the fix at its arrival.
  private func reported(_ fix: PositionFix) -> UpdateFilter.Action { .deliver(fix, age: .zero) }

  /// A latitude `meters` north of that of every fix.
  private func north(_ meters: Double) -> Double { 50 + meters / 111_229 }

  // MARK: Delivery

  @Test func everyFixIsDeliveredAsItComes() {
    var machine = running()
    for second in 1...5 {
      let fix = PositionFix.at(Double(second), radius: 5)
      #expect(machine.handle(.fix(fix), at: .seconds(Double(second))) == [reported(fix)])
    }
  }

  @Test func radiusIsGrownToTheDelivery() {
    var machine = running()
    let fix = PositionFix.at(1, radius: 5, speed: 10)
    var grown = fix
    grown.horizontalRadius68 = Meters(7)
    #expect(machine.handle(.fix(fix), at: .seconds(1.2)) == [.deliver(grown, age: .milliseconds(200))])
  }

  @Test func sameEpochIsNotDeliveredTwice() {
    var machine = running()
    let fix = PositionFix.at(1, radius: 5)
    #expect(machine.handle(.fix(fix), at: .seconds(1)) == [reported(fix)])
    #expect(machine.handle(.fix(fix), at: .seconds(1.1)) == [])
    var complete = fix
    complete.receivedAt = .seconds(1.2)
    #expect(machine.handle(.fix(complete), at: .seconds(1.2)) == [])
  }

  @Test func lastFixIsDeliveredWhileItIsThePresent() {
    var machine = UpdateFilter(UpdateOptions())
    let fix = PositionFix.at(-2, radius: 5)
    #expect(machine.handle(.start(lastFix: fix), at: .start) == [.startSources, .deliver(fix, age: .seconds(2))])
    #expect(machine.handle(.fix(fix), at: .seconds(0.5)) == [])
    #expect(machine.handle(.wake, at: .seconds(1)) == [.lost])
    var late = UpdateFilter(UpdateOptions())
    #expect(late.handle(.start(lastFix: .at(-3, radius: 5)), at: .start) == [.startSources])
  }

  // MARK: Gaps

  @Test func whatGoesOnKeepsAPositionAndBeginsNone() {
    var machine = running()
    #expect(machine.handle(.extrapolated(.at(1, radius: 5)), at: .seconds(1)) == [])
    #expect(machine.handle(.fix(.at(2, radius: 5)), at: .seconds(2)) == [reported(.at(2, radius: 5))])
    for second in 3...6 {
      let fix = PositionFix.at(Double(second), radius: 5)
      #expect(machine.handle(.extrapolated(fix), at: .seconds(Double(second))) == [reported(fix)])
    }
    #expect(machine.handle(.wake, at: .seconds(9)) == [.lost])
    #expect(machine.handle(.extrapolated(.at(10, radius: 5)), at: .seconds(10)) == [])
    #expect(machine.handle(.fix(.at(11, radius: 5)), at: .seconds(11)) == [.back, reported(.at(11, radius: 5))])
  }

  // MARK: Accuracy and distance

  @Test func accuracyIsAGate() {
    var machine = running(UpdateOptions(desiredRadius68: Meters(10)))
    #expect(machine.handle(.fix(.at(1, radius: 11)), at: .seconds(1)) == [])
    let fix = PositionFix.at(2, radius: 10)
    #expect(machine.handle(.fix(fix), at: .seconds(2)) == [reported(fix)])
    #expect(machine.handle(.fix(.at(3, radius: 10.1)), at: .seconds(3)) == [])
    #expect(machine.handle(.wake, at: .seconds(5)) == [.lost])
    #expect(machine.handle(.fix(.at(6, radius: 20)), at: .seconds(6)) == [])
    let next = PositionFix.at(7, radius: 9)
    #expect(machine.handle(.fix(next), at: .seconds(7)) == [.back, reported(next)])
  }

  @Test func distanceIsCountedFromTheLastDelivery() {
    var machine = running(UpdateOptions(distanceFilter: Meters(20)))
    let first = PositionFix.at(1, radius: 5)
    #expect(machine.handle(.fix(first), at: .seconds(1)) == [reported(first)])
    #expect(machine.handle(.fix(.at(2, radius: 5, latitude: north(12))), at: .seconds(2)) == [])
    #expect(machine.handle(.fix(.at(3, radius: 5, latitude: north(-12))), at: .seconds(3)) == [])
    let far = PositionFix.at(4, radius: 5, latitude: north(20.1))
    #expect(machine.handle(.fix(far), at: .seconds(4)) == [reported(far)])
    #expect(machine.handle(.fix(.at(5, radius: 5, latitude: north(30))), at: .seconds(5)) == [])
  }

  @Test func betterAccuracyPassesTheDistanceFilter() {
    var machine = running(UpdateOptions(distanceFilter: Meters(1000)))
    let coarse = PositionFix.at(1, radius: 50)
    #expect(machine.handle(.fix(coarse), at: .seconds(1)) == [reported(coarse)])
    #expect(machine.handle(.fix(.at(2, radius: 46)), at: .seconds(2)) == [])
    let fine = PositionFix.at(3, radius: 44)
    #expect(machine.handle(.fix(fine), at: .seconds(3)) == [reported(fine)])
    #expect(machine.handle(.fix(.at(4, radius: 50)), at: .seconds(4)) == [])
  }

  @Test func silenceOfTheDistanceFilterIsNoLoss() {
    var machine = running(UpdateOptions(distanceFilter: Meters(1000)))
    let first = PositionFix.at(1, radius: 5)
    #expect(machine.handle(.fix(first), at: .seconds(1)) == [reported(first)])
    for second in 2...30 {
      #expect(machine.handle(.fix(.at(Double(second), radius: 5)), at: .seconds(Double(second))) == [])
    }
    #expect(machine.nextDeadline == .seconds(33))
  }

  // MARK: Lost and back

  @Test func lostOnceAndBackWithTheNextFix() {
    var machine = running(UpdateOptions(distanceFilter: Meters(50)))
    let first = PositionFix.at(1, radius: 5)
    #expect(machine.handle(.fix(first), at: .seconds(1)) == [reported(first)])
    #expect(machine.nextDeadline == .seconds(4))
    #expect(machine.handle(.wake, at: .seconds(3.9)) == [])
    #expect(machine.handle(.wake, at: .seconds(4)) == [.lost])
    #expect(machine.handle(.wake, at: .seconds(5)) == [])
    #expect(machine.nextDeadline == nil)
    // The first fix after a loss is delivered, however near it is.
    let again = PositionFix.at(60, radius: 5)
    #expect(machine.handle(.fix(again), at: .seconds(60)) == [.back, reported(again)])
    #expect(machine.handle(.wake, at: .seconds(63)) == [.lost])
  }

  @Test func slowReceiverIsGivenThreeEpochs() {
    var machine = running()
    for second in [0.0, 5, 10] { _ = machine.handle(.fix(.at(second, radius: 5)), at: .seconds(second)) }
    #expect(machine.nextDeadline == .seconds(25))
    // One gap does not mean a longer interval.
    let late = PositionFix.at(20, radius: 5)
    #expect(machine.handle(.fix(late), at: .seconds(20)) == [reported(late)])
    #expect(machine.nextDeadline == .seconds(35))
  }

  @Test func stuckReceiverIsLost() {
    var machine = running(UpdateOptions(distanceFilter: Meters(50)))
    let first = PositionFix.at(1, radius: 5)
    #expect(machine.handle(.fix(first), at: .seconds(1)) == [reported(first)])
    var stuck = PositionFix.at(2, radius: 5)
    #expect(machine.handle(.fix(stuck), at: .seconds(2)) == [])
    for second in [3.0, 4] {
      stuck.receivedAt = .seconds(second)
      #expect(machine.handle(.fix(stuck), at: .seconds(second)) == [])
    }
    #expect(machine.handle(.wake, at: .seconds(5)) == [.lost])
    stuck.receivedAt = .seconds(6)
    #expect(machine.handle(.fix(stuck), at: .seconds(6)) == [])
  }

  @Test func aStaleFixIsNeverReportedAsCurrent() {
    var machine = running()
    let first = PositionFix.at(10, radius: 5)
    #expect(machine.handle(.fix(first), at: .seconds(10)) == [reported(first)])
    #expect(machine.handle(.fix(.at(9, radius: 5)), at: .seconds(10.5)) == [])
    #expect(machine.handle(.wake, at: .seconds(13)) == [.lost])
    #expect(machine.handle(.fix(.at(12, radius: 5)), at: .seconds(20)) == [])
  }

  /// `--raw` delivers what the receiver reports, also after a jump.
  @Test func everySuspectFixIsDeliveredToAClientThatTakesThem() {
    var machine = running(UpdateOptions(isRaw: true))
    for second in 1...9 {
      let fix = PositionFix.at(Double(second), radius: 5, qualityFlag: second % 4 == 0 ? nil : .implausible)
      #expect(machine.handle(.fix(fix), at: .seconds(Double(second))) == [reported(fix)])
      #expect(machine.handle(.wake, at: .seconds(Double(second) + 0.5)) == [])
    }
    #expect(machine.handle(.wake, at: .seconds(12)) == [.lost])
    let again = PositionFix.at(13, radius: 5, qualityFlag: .jammed)
    #expect(machine.handle(.fix(again), at: .seconds(13)) == [.back, reported(again)])
  }

  @Test func suspectFixIsReportedButKeepsNothingAlive() {
    var machine = running()
    #expect(machine.handle(.fix(.at(0.5, radius: 5, qualityFlag: .jammed)), at: .seconds(0.5)) == [])
    let first = PositionFix.at(1, radius: 5)
    #expect(machine.handle(.fix(first), at: .seconds(1)) == [reported(first)])
    let frozen = PositionFix.at(2, radius: 5, qualityFlag: .frozen)
    #expect(machine.handle(.fix(frozen), at: .seconds(2)) == [reported(frozen)])
    #expect(machine.handle(.wake, at: .seconds(4)) == [.lost])
    #expect(machine.handle(.fix(.at(5, radius: 5, qualityFlag: .frozen)), at: .seconds(5)) == [])
    let again = PositionFix.at(6, radius: 5)
    #expect(machine.handle(.fix(again), at: .seconds(6)) == [.back, reported(again)])
  }

  @Test func distanceIsNotCountedFromASuspectFix() {
    var machine = running(UpdateOptions(distanceFilter: Meters(20)))
    let first = PositionFix.at(1, radius: 5)
    #expect(machine.handle(.fix(first), at: .seconds(1)) == [reported(first)])
    let jump = PositionFix.at(2, radius: 5, latitude: north(5000), qualityFlag: .implausible)
    #expect(machine.handle(.fix(jump), at: .seconds(2)) == [reported(jump)])
    #expect(machine.handle(.fix(.at(3, radius: 5, latitude: north(5))), at: .seconds(3)) == [])
  }

  @Test func severalDevicesAreDistinguished() {
    var machine = running()
    var one = PositionFix.at(1, radius: 5)
    one.device = "/dev/ttyACM0"
    #expect(machine.handle(.fix(one), at: .seconds(1)) == [reported(one)])
    // The same epoch of another receiver is a separate fix.
    var two = PositionFix.at(1, radius: 7)
    two.device = "/dev/ttyUSB0"
    two.receivedAt = .seconds(1.3)
    #expect(machine.handle(.fix(two), at: .seconds(1.3)) == [reported(two)])
    one.receivedAt = .seconds(2)
    #expect(machine.handle(.fix(one), at: .seconds(2)) == [])
  }

  @Test func fixThatArrivedInTimeButIsSeenLateIsNoLoss() {
    var machine = running()
    _ = machine.handle(.fix(.at(1, radius: 5)), at: .seconds(1))
    let fix = PositionFix.at(3.9, radius: 5)
    #expect(machine.handle(.fix(fix), at: .seconds(4.1)) == [.deliver(fix, age: .milliseconds(200))])
    let late = PositionFix.at(7, radius: 5)
    #expect(machine.handle(.fix(late), at: .seconds(7)) == [.lost, .back, reported(late)])
  }

  // MARK: Sources, and the end

  /// A receiver that was just plugged in has 3 s to become a port.
  @Test func withoutASourceItEndsWhenNoneCanAppearAnymore() {
    var machine = UpdateFilter(UpdateOptions())
    #expect(machine.handle(.start(lastFix: nil), at: .start) == [.startSources])
    #expect(machine.handle(.sourcesChanged(available: false), at: .start) == [])
    #expect(machine.nextDeadline == .seconds(3))
    #expect(machine.handle(.sourcesChanged(available: false), at: .seconds(2)) == [])
    var lucky = machine
    #expect(machine.handle(.wake, at: .seconds(3)) == [.failWithoutSource, .stopSources])
    #expect(machine.handle(.stop, at: .seconds(4)) == [])
    #expect(lucky.handle(.sourcesChanged(available: true), at: .seconds(2.9)) == [])
    #expect(lucky.nextDeadline == nil && lucky.handle(.wake, at: .seconds(3)) == [])
    // The source was there: its end does not end the stream.
    #expect(lucky.handle(.sourcesChanged(available: false), at: .seconds(4)) == [])
    #expect(lucky.nextDeadline == nil)
  }

  @Test func waitsForASourceWhenAskedTo() {
    var machine = UpdateFilter(UpdateOptions(waitsForSource: true))
    #expect(machine.handle(.start(lastFix: nil), at: .start) == [.startSources])
    #expect(machine.handle(.sourcesChanged(available: false), at: .start) == [])
    #expect(machine.handle(.stop, at: .seconds(1)) == [.stopSources])
  }

  @Test func unpluggingIsALossImmediatelyAndNotTheEnd() {
    var machine = running()
    #expect(machine.handle(.sourcesChanged(available: false), at: .seconds(1)) == [])
    #expect(machine.handle(.sourcesChanged(available: true), at: .seconds(2)) == [])
    let first = PositionFix.at(3, radius: 5)
    #expect(machine.handle(.fix(first), at: .seconds(3)) == [reported(first)])
    #expect(machine.handle(.sourcesChanged(available: false), at: .seconds(4)) == [.lost])
    #expect(machine.handle(.sourcesChanged(available: false), at: .seconds(5)) == [])
    #expect(machine.handle(.wake, at: .seconds(6)) == [])
    #expect(machine.handle(.sourcesChanged(available: true), at: .seconds(7)) == [])
    let again = PositionFix.at(8, radius: 5)
    #expect(machine.handle(.fix(again), at: .seconds(8)) == [.back, reported(again)])
  }

  @Test func oneSourceOfSeveralThatGoesIsNoLoss() {
    var machine = running()
    let first = PositionFix.at(1, radius: 5)
    #expect(machine.handle(.fix(first), at: .seconds(1)) == [reported(first)])
    #expect(machine.handle(.sourcesChanged(available: true), at: .seconds(2)) == [])
    let next = PositionFix.at(2, radius: 5)
    #expect(machine.handle(.fix(next), at: .seconds(2)) == [reported(next)])
  }

  @Test func nothingFollowsTheStop() {
    var machine = running()
    _ = machine.handle(.fix(.at(1, radius: 5)), at: .seconds(1))
    #expect(machine.handle(.stop, at: .seconds(2)) == [.stopSources])
    #expect(machine.nextDeadline == nil)
    #expect(machine.handle(.fix(.at(3, radius: 5)), at: .seconds(3)) == [])
    #expect(machine.handle(.wake, at: .seconds(9)) == [])
    #expect(machine.handle(.stop, at: .seconds(9)) == [])
    var unstarted = UpdateFilter(UpdateOptions())
    #expect(unstarted.handle(.stop, at: .start) == [])
    #expect(unstarted.handle(.start(lastFix: nil), at: .start) == [])
  }

  // MARK: Random input

  @Test(arguments: 0..<8) func holdsWhateverComes(block: Int) {
    for seed in 0..<100 {
      var random = SplitMix64(seed: UInt64(block * 100 + seed))
      let request = UpdateOptions(
        desiredRadius68: Bool.random(using: &random) ? Meters(20) : nil,
        distanceFilter: Bool.random(using: &random) ? Meters(30) : nil)
      var machine = running(request)
      var now = Instant.start
      var (isLost, hasPosition) = (false, false)
      var newest = Instant(nanoseconds: 0)
      for _ in 0..<200 {
        now = now + .milliseconds(Int.random(in: 1...2_000, using: &random))
        let seconds = (now - .start).inSeconds - Double.random(in: 0...4, using: &random)
        let fix = PositionFix.at(
          seconds, radius: .random(in: 1...30, using: &random), latitude: north(.random(in: 0...60, using: &random)),
          qualityFlag: Int.random(in: 0..<4, using: &random) == 0 ? .implausible : nil)
        let input: UpdateFilter.Input = Int.random(in: 0..<3, using: &random) > 0 ? .fix(fix) : .wake
        for action in machine.handle(input, at: now) {
          switch action {
          case .deliver(let fix, _):
            #expect(!isLost, "lost and not back")
            #expect(fix.receivedAt > newest, "each is newer than the one before")
            #expect(request.desiredRadius68.map { fix.horizontalRadius68 <= $0 } ?? true)
            #expect(hasPosition || fix.qualityFlag == nil, "the first is valid")
            newest = fix.receivedAt
            hasPosition = true
          case .lost:
            #expect(!isLost && hasPosition, "lost once, and only what there was")
            isLost = true
            hasPosition = false
          case .back:
            #expect(isLost, "back once")
            isLost = false
          case .startSources, .stopSources, .failWithoutSource:
            Issue.record("unasked: \(action)")
          }
        }
        #expect((machine.nextDeadline ?? .seconds(1e6)) > now)
      }
    }
  }
}
