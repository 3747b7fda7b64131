import GNSSReceiver
import Geodesy
import Testing

/// Where one epoch ends and the next one begins, on lines where that is hard to detect.
@Suite struct EpochBoundaryTests {
  private let noon = 43_200

  @Test func aTimeAheadOfItsPositionIsNoEpochYet() {
    var line = LineBench()
    for second in noon..<noon + 6 {
      line.receive("GPZDA,\(LineBench.clock(second)).00,05,06,2026,00,00")
      line.wait(250)
      line.receive(LineBench.gga(second), LineBench.rmc(second))
      line.wait(750)
    }
    #expect(line.complete.count == 6)
    #expect(line.fixes.count == 6)
  }

  @Test func theNextSecondsDateIsNoEpochYet() {
    var line = LineBench()
    for second in noon..<noon + 6 {
      line.receive(
        LineBench.gga(second), LineBench.rmc(second), "GPZDA,\(LineBench.clock(second + 1)).00,05,06,2026,00,00")
      line.wait(1000)
    }
    #expect(line.complete.allSatisfy { $0.fix != nil })
    #expect(line.fixes.count >= 5)
  }

  @Test func aTimeMessageAheadOfItsSolutionIsNoEpochYet() {
    var line = LineBench()
    for second in noon..<noon + 4 {
      line.receive(LineBench.timeUTC(second: second))
      line.wait(200)
      line.receive(LineBench.pvt(second: second))
      line.wait(800)
    }
    #expect(line.complete.count == 4)
    #expect(line.fixes.count == 4)
  }

  /// The pause is longer than the silence that ends an epoch: the session learns it from the sentence that came too late.
  @Test func aPauseWithinEpochsIsLearned() {
    var line = LineBench()
    for second in noon..<noon + 8 {
      line.receive(LineBench.rmc(second))
      line.wait(250)
      line.receive(LineBench.gga(second, dilution: "2.0"))
      line.wait(750)
    }
    #expect(line.fixes.count == 8)
    #expect(line.fixes.suffix(6).allSatisfy { abs($0.horizontalRadius68.value - 9.2) < 0.01 })
    #expect(line.fixes.suffix(6).allSatisfy { $0.heightAboveMeanSeaLevel == Meters(499.6) })
  }

  /// A process that was stopped finds the next epoch's bytes before its own timer.
  @Test func bytesReceivedBeforeAStallKeepTheirArrivalTime() {
    var line = LineBench()
    for second in noon..<noon + 3 {
      line.receive(LineBench.rmc(second), LineBench.gga(second))
      line.wait(1000)
    }
    line.forget()
    let arrival = line.now
    line.receive(LineBench.rmc(noon + 3))
    line.stall(.seconds(10))
    line.receive("GPGSA,A,2,01,02,03,,,,,,,,,,9.9,9.9,9.9", LineBench.rmc(noon + 13))
    #expect(line.fixes.first?.receivedAt == arrival)
    // The dilution after the stall belongs to the next epoch.
    #expect((line.fixes.first?.horizontalRadius68.value ?? .infinity) < 50)
  }

  /// From the fifth epoch on, a sentence without a time follows the previously last one, and the next epoch follows before the
  /// line has been silent.
  @Test func aNewLastSentenceIsNotTheNextEpochs() {
    var line = LineBench()
    for index in 0..<12 {
      let second = noon + index
      line.receive(LineBench.rmc(second))
      line.wait(40)
      line.receive(
        "GPGGA,\(LineBench.clock(second)).00,\(LineBench.position),1,08,,499.6,M,48.0,M,,",
        "GPGLL,\(LineBench.position),\(LineBench.clock(second)).00,A,A")
      line.wait(40)
      if index >= 4 {
        let dilution = "\(index + 1).0"
        line.receive("GNGSA,A,3,01,02,03,04,,,,,,,,,\(dilution),\(dilution),\(dilution)")
      }
      line.wait(40)
    }
    // The radius is that of the epoch itself, or that of an unknown dilution as long as the new end is not learned, but never
    // that of another epoch.
    let unknown = 5 * 4.6
    for (index, fix) in line.fixes.enumerated() where index >= 4 {
      let own = Double(index + 1) * 4.6
      let radius = fix.horizontalRadius68.value
      #expect(abs(radius - own) < 0.01 || abs(radius - unknown) < 0.01, "\(index): \(radius)")
    }
    #expect(line.fixes.suffix(3).first.map { abs($0.horizontalRadius68.value - 10 * 4.6) < 0.01 } == true)
  }

  @Test func aListThatComesNowAndThenIsReported() {
    var line = LineBench()
    for index in 0..<30 {
      line.receive(LineBench.gga(noon + index), LineBench.rmc(noon + index))
      if index % 5 == 4 { line.receive("GPGSV,1,1,02,01,40,083,46,02,17,308,41") }
      line.wait(1000)
    }
    let known = line.complete.filter { $0.sky.inView == 2 }
    #expect(known.count >= 5)
    #expect(line.complete.count == 30)
  }
}
