import Foundation
import Geodesy
import HeadingSources
import Testing

@Suite struct CalibrationTests {
  /// Errors of headings after a calibration, degrees, and the same errors in units of the reported accuracy (2 σ).
  struct Errors {
    var degrees: [Double] = []
    var ratios: [Double] = []

    func percentile95() -> Double { degrees.sorted()[degrees.count * 95 / 100] }
    /// Share of the errors within `factor` times the reported accuracy.
    func share(within factor: Double) -> Double {
      Double(ratios.count { $0 <= factor }) / Double(ratios.count)
    }
  }

  /// Devices for each motion: 1,000 in the long form of the tests.
  private static let seeds: Range<UInt64> =
    ProcessInfo.processInfo.environment["LOCATION_SOAK"] == "1" ? 0..<1000 : 0..<60

  enum Motion: CaseIterable { case tumble, tilted, level }

  /// The figures of the issue: p95 0.6° after a full tumble and 2.5° after a level turn; 92 to 99 % of the errors within the reported
  /// accuracy. The readings of the check have noise of their own, which the accuracy includes.
  @Test(arguments: [(Motion.tumble, 0.1, 0.6), (.tilted, 0.3, 1.7), (.level, 0.1, 1.6), (.level, 0.3, 2.5)])
  func calibratedHeadings(motion: Motion, noise: Double, bound: Double) throws {
    var ofCalibration = Errors()
    for seed in Self.seeds { try append(to: &ofCalibration, motion, noise: noise, seed: seed) }
    #expect(ofCalibration.percentile95() <= bound)
    #expect((0.92...0.995).contains(ofCalibration.share(within: 1)))
    #expect(ofCalibration.share(within: 3) > 0.99)
    print(
      "\(motion), noise \(noise) µT: p95 \(ofCalibration.percentile95())°,",
      "within the accuracy \(ofCalibration.share(within: 1)), within three times \(ofCalibration.share(within: 3))")
  }

  private func append(to errors: inout Errors, _ motion: Motion, noise: Double, seed: UInt64) throws {
    var device = SimulatedMagnetometer(seed: seed, noiseMicrotesla: noise)
    let samples =
      switch motion {
      case .tumble: device.tumble()
      case .tilted: device.turn(tilt: 15)
      case .level: device.turn(tilt: 3)
      }
    let solver = CalibrationSolver(field: SimulatedMagnetometer.field, noiseMicrotesla: noise)
    let calibration = try solver.solve(samples)
    for heading in stride(from: 0.0, to: 360, by: 30) {
      let attitude = device.attitude(heading: heading, tilt: 5)
      // Without noise of the reading, whose tilt would hide the error of the calibration.
      let exact = device.exactSample(in: attitude)
      let found = try #require(
        CompassHeading(exact, calibration: calibration, noiseMicrotesla: 0, tiltNoise: Angle(degrees: 0)))
      let error = (found.magneticDegrees - attitude.heading).remainder(dividingBy: 360).magnitude
      errors.degrees.append(error)
      errors.ratios.append(error / (2 * found.standardDeviationDegrees))
    }
  }

  /// The accuracy includes the noise of the reading and of the tilt.
  @Test func accuracyOfNoisyReadings() throws {
    var errors = Errors()
    for seed in 100..<160 as Range<UInt64> {
      var device = SimulatedMagnetometer(seed: seed, noiseMicrotesla: 0.3)
      let calibration = try CalibrationSolver(field: SimulatedMagnetometer.field, noiseMicrotesla: 0.3)
        .solve(device.turn(tilt: 15))
      for heading in stride(from: 0.0, to: 360, by: 30) {
        let attitude = device.attitude(heading: heading, tilt: 5)
        let found = try #require(
          CompassHeading(device.sample(in: attitude), calibration: calibration, noiseMicrotesla: 0.3))
        let error = (found.magneticDegrees - attitude.heading).remainder(dividingBy: 360).magnitude
        errors.degrees.append(error)
        errors.ratios.append(error / (2 * found.standardDeviationDegrees))
      }
    }
    #expect((0.92...0.99).contains(errors.share(within: 1)))
  }

  @Test func tooFewReadings() {
    var device = SimulatedMagnetometer(seed: 1, noiseMicrotesla: 0.3)
    let samples = Array(device.turn(tilt: 3).prefix(11))
    #expect(throws: CalibrationSolver.Failure.tooFewSamples(11)) {
      try CalibrationSolver(field: SimulatedMagnetometer.field, noiseMicrotesla: 0.3).solve(samples)
    }
  }

  /// A magnet that moved past during the turn: no parameters explain such readings, and no calibration is reported.
  @Test func aDisturbedTurnGivesNoCalibration() throws {
    var device = SimulatedMagnetometer(seed: 2, noiseMicrotesla: 0.3)
    let samples = device.turn(tilt: 15).enumerated().map { index, sample in
      MagnetometerSample(
        microtesla: sample.microtesla + SIMD3(index > 40 && index < 80 ? 30 : 0, 0, 0), acceleration: sample.up)
    }
    #expect {
      try CalibrationSolver(field: SimulatedMagnetometer.field, noiseMicrotesla: 0.3).solve(samples)
    } throws: { error in
      if case CalibrationSolver.Failure.readingsContradict = error { true } else { false }
    }
  }

  /// A device that was turned by a few degrees only.
  @Test func aDeviceThatWasNeverTurned() {
    var device = SimulatedMagnetometer(seed: 3, noiseMicrotesla: 0.3)
    let samples = (0..<60).map { device.sample(in: device.attitude(heading: 40 + Double($0) / 6, tilt: 1)) }
    #expect {
      try CalibrationSolver(field: SimulatedMagnetometer.field, noiseMicrotesla: 0.3).solve(samples)
    } throws: { error in
      if case CalibrationSolver.Failure.tooLittleMotion = error { true } else { false }
    }
  }

  @Test func withoutAnAccelerometerTheDeviceIsAssumedLevel() throws {
    var device = SimulatedMagnetometer(seed: 4, noiseMicrotesla: 0.1)
    let calibration = try CalibrationSolver(field: SimulatedMagnetometer.field, noiseMicrotesla: 0.1)
      .solve(device.tumble())
    let exact = device.exactSample(in: device.attitude(heading: 200, tilt: 0))
    let flat = MagnetometerSample(microtesla: exact.microtesla, acceleration: nil)
    let found = try #require(CompassHeading(flat, calibration: calibration, noiseMicrotesla: 0.1))
    #expect((found.magneticDegrees - 200).magnitude < 1)
    #expect(found.standardDeviationDegrees >= CompassHeading.unknownTiltDegrees)
  }

  @Test func aFrontThatPointsUpHasNoHeading() throws {
    var device = SimulatedMagnetometer(seed: 5, noiseMicrotesla: 0.1)
    let calibration = try CalibrationSolver(field: SimulatedMagnetometer.field, noiseMicrotesla: 0.1)
      .solve(device.tumble())
    let upright = MagnetometerSample(microtesla: SIMD3(20, -43, 0), acceleration: SIMD3(0, 9.81, 0))
    #expect(CompassHeading(upright, calibration: calibration, noiseMicrotesla: 0.1) == nil)
  }
}
