import Fusion
import Geodesy
import LocationReplay
import Testing

/// Unfiltered fixes are improved.
@Suite struct UnfilteredInputTests {
  private static let town = SimulatedDrive.Receiver(
    white: 1.5, wander: 0.7, wanderSeconds: 30, outliers: 0.15, outlierMeters: 25, radius: 4)

  @Test(arguments: [1.4, 5.5, 14, 31]) func velocitiesHalveTheError(speed: Double) {
    let drive = SimulatedDrive(seconds: 1200, speed: speed, seed: 3)
    let result = compare(drive.fixes(Self.town, seed: 5))
    #expect(result.causal.rms <= 0.4 * result.raw.rms && result.causal.p95 <= 0.4 * result.raw.p95)
    #expect(result.lagged.rms <= result.causal.rms)
  }

  @Test(arguments: [1.4, 5.5, 14, 31]) func evenWithoutVelocities(speed: Double) {
    var receiver = Self.town
    receiver.velocity = nil
    let drive = SimulatedDrive(seconds: 1200, speed: speed, seed: 3)
    let result = compare(drive.fixes(receiver, seed: 5))
    #expect(result.causal.rms <= 0.8 * result.raw.rms && result.lagged.rms <= 0.5 * result.raw.rms)
  }

  @Test func whiteNoiseIsAveraged() {
    let drive = SimulatedDrive(seconds: 1200, speed: 14, seed: 3)
    let result = compare(drive.fixes(.init(white: 4, radius: 6), seed: 5))
    #expect(result.causal.rms <= 0.45 * result.raw.rms && result.lagged.rms <= 0.4 * result.raw.rms)
  }

  /// The first minute is enough.
  @Test func itIsRecognisedWithinAMinute() {
    var estimator = Estimator()
    for (fix, _) in SimulatedDrive(seconds: 60, speed: 14, seed: 3).fixes(.init(white: 4, radius: 6), seed: 5) {
      _ = estimator.handle(fix, at: fix.receivedAt)
    }
    #expect(estimator.isFiltering)
  }

  /// If a receiver begins to filter, its fixes are passed on unchanged again.
  @Test func itIsForgottenWithinSomeMinutes() {
    let drive = SimulatedDrive(seconds: 900, speed: 14, seed: 3)
    let (noisy, calm) = (drive.fixes(.init(white: 4, radius: 6), seed: 5), drive.fixes(.init(wander: 1), seed: 5))
    var estimator = Estimator()
    for index in 0..<900 {
      let fix = index < 200 ? noisy[index].fix : calm[index].fix
      _ = estimator.handle(fix, at: fix.receivedAt)
      if index == 199 { #expect(estimator.isFiltering) }
    }
    #expect(!estimator.isFiltering)
  }

  /// The lagged answers come in order, one for each fix, some seconds old.
  @Test func laggedAnswersAreInOrder() {
    var estimator = Estimator()
    var last: GNSSTime?
    var count = 0
    for (fix, _) in SimulatedDrive(seconds: 300, speed: 14, seed: 3).fixes(Self.town, seed: 5) {
      guard let lagged = estimator.handle(fix, at: fix.receivedAt)?.lagged else { continue }
      #expect(fix.time - lagged.time == .seconds(5))
      if let last { #expect(lagged.time - last == .seconds(1)) }
      last = lagged.time
      count += 1
    }
    #expect(count == 295)
  }
}
