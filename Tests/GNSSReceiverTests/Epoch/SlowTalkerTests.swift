import GNSSReceiver
import Geodesy
import Testing

/// Two talkers on one line: instruments repeat a fix of the receiver one or two seconds later, with its old time.
@Suite struct SlowTalkerTests {
  private let noon = 43_200

  private func repeated(_ second: Int) -> String {
    "IIRMC,\(LineBench.clock(second)),A,4717.1140,N,00833.9160,E,1.0,77,050626,,"
  }

  /// A receiver with an epoch every other second, and instruments that send every second, also between its sentences.
  @Test func anEpochIsNotEndedByOlderTimes() {
    var line = LineBench()
    for index in 0..<40 {
      let second = noon + 2 * index
      line.receive(LineBench.rmc(second))
      line.receive(repeated(second - 2))
      line.receive(LineBench.gga(second), "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.5,1.0,1.2")
      line.wait(700)
      line.receive(repeated(second - 1))
      line.wait(1000)
      // A repetition of the current fix is neither a new fix nor a loss.
      line.receive(repeated(second))
      line.wait(300)
    }
    #expect(line.fixes.count == 40)
    #expect(line.complete.allSatisfy { $0.fix != nil })
    #expect(line.fixes.allSatisfy { $0.heightAboveMeanSeaLevel == Meters(499.6) && $0.satellitesUsed == 8 })
    #expect(line.fixes.allSatisfy { abs($0.horizontalRadius68.value - 4.6) < 0.01 })
    let steps = zip(line.fixes.dropFirst(), line.fixes).map { $0.time - $1.time }
    #expect(steps.allSatisfy { $0 == .seconds(2) })
  }

  /// The receiver sets its clock back by the leap seconds that it has received, and continues from there.
  @Test func aClockThatIsSetBackIsFollowed() {
    var line = LineBench()
    for index in 0..<5 {
      line.receive(LineBench.rmc(noon + index), LineBench.gga(noon + index))
      line.wait(1000)
    }
    line.forget()
    for index in -1..<9 {
      line.receive(LineBench.rmc(noon + index), LineBench.gga(noon + index))
      line.wait(1000)
    }
    // Two fixes are lost, because they may be another talker's; a step back has always cost these.
    #expect(line.fixes.count == 8)
    #expect(line.fixes.allSatisfy { $0.heightAboveMeanSeaLevel != nil })
    #expect(line.fixes.last?.time.nanosecondsSinceMidnight == Int64(noon + 8) * 1_000_000_000)
  }

  /// A talker that sends only the time provides no fix, so the fixes of a slower talker are not rejected as older.
  @Test func aTalkerWithoutAPositionKeepsNoOneOut() {
    var line = LineBench()
    for index in 0..<6 {
      line.receive("GPZDA,\(LineBench.clock(noon + index)),05,06,2026,00,00")
      line.wait(300)
      line.receive(LineBench.rmc(noon + index - 1), LineBench.gga(noon + index - 1))
      line.wait(700)
    }
    #expect(line.fixes.count == 6)
  }
}
