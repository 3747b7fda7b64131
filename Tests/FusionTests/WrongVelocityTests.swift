import Fusion
import Geodesy
import LocationReplay
import TestSupport
import Testing

/// A wrong velocity does not pull the track away.
@Suite struct WrongVelocityTests {
  /// At any second of the drive, including the first seconds and while the vehicle stands.
  @Test(arguments: [1, 2, 3, 4] as [UInt64], [0, 1, 40, 111, 180, 181, 250])
  func aCanyonWithOneIsNoWorseThanTheReceiver(seed: UInt64, second: Int) {
    let drive = FaultyDrive(carrierPhaseFor: 300, badVelocityAt: second, seed: seed)
    let result = compare(drive.fixes)
    #expect(result.causal.rms <= 1.02 * result.raw.rms)
    #expect(result.lagged.rms <= 1.02 * result.raw.rms)
  }

  private func parked(_ seconds: Int, _ set: (Int, inout PositionFix) -> Void) -> [Estimate?] {
    var estimator = Estimator()
    return (0..<seconds).map { second in
      var fix = PositionFix.test(at: Double(second), .town)
      fix.speedMetersPerSecond = 0.1
      fix.course = Angle(degrees: 200)
      set(second, &fix)
      return estimator.handle(fix, at: fix.receivedAt)
    }
  }

  @Test func itIsNotReportedEither() throws {
    let answers = parked(60) { second, fix in if second == 40 { fix.speedMetersPerSecond = 171.4 } }
    for (second, answer) in answers.enumerated() {
      let causal = try #require(answer).causal
      #expect(causal.coordinate.meters(to: .town) < 1, "\(second)")
      #expect(causal.speedMetersPerSecond.map { $0 < 1 } ?? true, "\(second)")
    }
  }

  /// If the positions move with the velocity, it is not an error.
  @Test func aVelocityThatThePlacesFollowIsAccepted() throws {
    let answers = parked(60) { second, fix in
      guard second >= 40 else { return }
      (fix.speedMetersPerSecond, fix.course) = (40, Angle(degrees: 90))
      fix.coordinate = Coordinate.town.moved(by: SIMD2(40 * Double(second - 40) + 20, 0))
    }
    #expect(try #require(answers[40]).causal.speedMetersPerSecond == 40)
  }

  /// Repetition does not confirm a velocity: while the positions stand still, the receiver is not moving.
  @Test(arguments: [1, 5, 8, 15, 40], [1, 10]) func severalInARowAreRefused(count: Int, perSecond: Int) throws {
    var estimator = Estimator()
    for index in 0..<60 * perSecond + count {
      var fix = PositionFix.test(at: Double(index) / Double(perSecond), .town)
      (fix.speedMetersPerSecond, fix.course) = (0.1, Angle(degrees: 200))
      if (40..<40 + count).contains(index) { fix.speedMetersPerSecond = 171.4 }
      let answer = estimator.handle(fix, at: fix.receivedAt)
      let causal = try #require(answer).causal
      #expect(causal.coordinate.meters(to: .town) < 2, "\(index)")
      #expect(causal.speedMetersPerSecond.map { $0 < 1 } ?? true, "\(index)")
    }
  }

  @Test(arguments: [5, 8]) func severalInARowInACanyonAreRefused(count: Int) {
    for seed in 1...4 as ClosedRange<UInt64> {
      let drive = FaultyDrive(carrierPhaseFor: 300, badVelocityAt: 150, for: count, seed: seed)
      let result = compare(drive.fixes)
      #expect(result.causal.rms <= 1.02 * result.raw.rms)
      #expect(result.lagged.rms <= 1.02 * result.raw.rms)
    }
  }

  /// A velocity that the positions cannot contradict within their accuracy is accepted if it lasts.
  @Test func aVelocityThatStaysIsAccepted() throws {
    let answers = parked(60) { second, fix in
      fix.horizontalRadius68 = Meters(30)
      if second >= 40 { fix.speedMetersPerSecond = 40 }
    }
    #expect(try #require(answers[40]).causal.speedMetersPerSecond ?? 0 < 1)
    #expect(answers[41...50].contains { $0?.causal.speedMetersPerSecond == 40 })
  }

  /// A track of code positions does not outweigh the centimeters of a carrier phase solution.
  @Test func aCertainPlaceWins() throws {
    let drive = SimulatedDrive(seconds: 300, speed: 14, seed: 3)
    var fixes = drive.fixes(.init(white: 8, radius: 12), seed: 4)
    var estimator = Estimator()
    for index in fixes.indices {
      if index >= 200, index % 10 == 0 {
        fixes[index].fix.coordinate = fixes[index].truth
        fixes[index].fix.horizontalRadius68 = Meters(0.2)
      }
      let fix = fixes[index].fix
      let answer = estimator.handle(fix, at: fix.receivedAt)
      let causal = try #require(answer).causal
      if index >= 200, index % 10 == 0 { #expect(causal.coordinate.meters(to: fixes[index].truth) < 1) }
    }
    #expect(estimator.isFiltering)
  }
}
