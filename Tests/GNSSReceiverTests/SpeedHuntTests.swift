import GNSSReceiver
import Geodesy
import Testing

@Suite struct SpeedHuntTests {
  private let start = Instant(nanoseconds: 1_000_000_000)

  @Test func triesTheLastGoodSpeedFirstAndEachSpeedOnce() {
    let hunt = SpeedHunt(lastGood: 57_600, at: start)
    #expect(hunt.speed == 57_600)
    #expect(hunt.speeds.count == Set(hunt.speeds).count)
    #expect(Set(hunt.speeds) == Set(SpeedHunt.commonSpeeds))
  }

  @Test func keepsAnUnusualLastGoodSpeed() {
    #expect(SpeedHunt(lastGood: 250_000, at: start).speeds == [250_000] + SpeedHunt.commonSpeeds)
  }

  @Test func movesOnAfterItsTimeAndNotBefore() {
    var hunt = SpeedHunt(lastGood: nil, at: start)
    #expect(hunt.advance(noiseBytes: 0, at: start + .milliseconds(1199)) == nil)
    #expect(hunt.advance(noiseBytes: 0, at: start + .milliseconds(1200)) == 38_400)
    #expect(hunt.deadline == start + .milliseconds(2400))
  }

  @Test func movesOnAtOnceWhenThereIsNothingButNoise() {
    var hunt = SpeedHunt(lastGood: nil, at: start)
    #expect(hunt.advance(noiseBytes: 399, at: start + .milliseconds(10)) == nil)
    #expect(hunt.advance(noiseBytes: 400, at: start + .milliseconds(20)) == 38_400)
    #expect(hunt.advance(noiseBytes: 799, at: start + .milliseconds(30)) == nil, "each speed has its own count")
    #expect(hunt.advance(noiseBytes: 800, at: start + .milliseconds(40)) == 115_200)
  }

  @Test func countsItsRounds() {
    var hunt = SpeedHunt(lastGood: nil, at: start)
    var now = start
    for _ in hunt.speeds {
      #expect(hunt.roundsDone == 0)
      now = now + SpeedHunt.listeningTime
      #expect(hunt.advance(noiseBytes: 0, at: now) != nil)
    }
    #expect(hunt.roundsDone == 1)
    #expect(hunt.speed == 9600)
  }
}
