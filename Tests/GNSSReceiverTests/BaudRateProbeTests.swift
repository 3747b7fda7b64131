import GNSSReceiver
import Geodesy
import Testing

@Suite struct BaudRateProbeTests {
  private let start = Instant(nanoseconds: 1_000_000_000)

  @Test func triesTheLastGoodSpeedFirstAndEachSpeedOnce() {
    let probe = BaudRateProbe(lastGood: 57_600, at: start)
    #expect(probe.speed == 57_600)
    #expect(probe.speeds.count == Set(probe.speeds).count)
    #expect(Set(probe.speeds) == Set(BaudRateProbe.commonSpeeds))
  }

  @Test func keepsAnUnusualLastGoodSpeed() {
    #expect(BaudRateProbe(lastGood: 250_000, at: start).speeds == [250_000] + BaudRateProbe.commonSpeeds)
  }

  @Test func movesOnAfterItsTimeAndNotBefore() {
    var probe = BaudRateProbe(lastGood: nil, at: start)
    #expect(probe.advance(noiseBytes: 0, at: start + .milliseconds(1199)) == nil)
    #expect(probe.advance(noiseBytes: 0, at: start + .milliseconds(1200)) == 38_400)
    #expect(probe.deadline == start + .milliseconds(2400))
  }

  @Test func movesOnImmediatelyWhenThereIsNothingButNoise() {
    var probe = BaudRateProbe(lastGood: nil, at: start)
    #expect(probe.advance(noiseBytes: 399, at: start + .milliseconds(10)) == nil)
    #expect(probe.advance(noiseBytes: 400, at: start + .milliseconds(20)) == 38_400)
    #expect(probe.advance(noiseBytes: 799, at: start + .milliseconds(30)) == nil, "each speed has its own count")
    #expect(probe.advance(noiseBytes: 800, at: start + .milliseconds(40)) == 115_200)
  }

  @Test func countsItsRounds() {
    var probe = BaudRateProbe(lastGood: nil, at: start)
    var now = start
    for _ in probe.speeds {
      #expect(probe.roundsDone == 0)
      now = now + BaudRateProbe.listeningTime
      #expect(probe.advance(noiseBytes: 0, at: now) != nil)
    }
    #expect(probe.roundsDone == 1)
    #expect(probe.speed == 9600)
  }
}
