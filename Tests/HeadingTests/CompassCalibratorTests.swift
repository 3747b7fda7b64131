import Geodesy
import HeadingSources
import Testing

@Suite struct CompassCalibratorTests {
  private typealias Action = CompassCalibrator.Action

  /// A device at 10 Hz.
  private struct Bench {
    var device: SimulatedMagnetometer
    var calibrator: CompassCalibrator
    var now = Instant(nanoseconds: 0)
    var disturbance = SIMD3<Double>.zero

    init(seed: UInt64, stored: MagnetometerCalibration? = nil) {
      device = SimulatedMagnetometer(seed: seed, noiseMicrotesla: 0.3)
      calibrator = CompassCalibrator(noiseMicrotesla: 0.3, stored: stored)
    }

    /// Readings for some seconds while the device turns by so many degrees per second.
    mutating func run(seconds: Int, from heading: Double, turning rate: Double) -> [Action] {
      var actions: [Action] = []
      for step in 0..<seconds * 10 {
        now = now + .milliseconds(100)
        let attitude = device.attitude(heading: heading + rate * Double(step) / 10, tilt: 3)
        let sample = device.sample(in: attitude)
        let disturbed = MagnetometerSample(
          microtesla: sample.microtesla + disturbance, acceleration: sample.up)
        actions += calibrator.handle(disturbed, field: SimulatedMagnetometer.field, at: now)
      }
      return actions
    }

    /// The error of the heading in this direction, degrees; `nil` if there is no heading.
    func error(at heading: Double) -> Double? {
      let exact = device.exactSample(in: device.attitude(heading: heading))
      return calibrator.heading(of: exact).map {
        ($0.magneticDegrees - heading).remainder(dividingBy: 360).magnitude
      }
    }
  }

  @Test func aTurnIsRequestedUntilTheDeviceHasTurned() throws {
    var bench = Bench(seed: 11)
    #expect(bench.run(seconds: 4, from: 30, turning: 0).isEmpty)
    #expect(bench.run(seconds: 2, from: 30, turning: 0) == [.turnRequested])
    #expect(bench.error(at: 200) == nil)
    let turned = bench.run(seconds: 20, from: 30, turning: 20)
    #expect(turned.contains { if case .calibrated = $0 { true } else { false } })
    #expect(turned.count { $0 == .turnRequestEnded } == 1)
    for heading in stride(from: 0.0, to: 360, by: 45) { #expect(try #require(bench.error(at: heading)) < 3) }
  }

  @Test func aRequestEndsAfterHalfAMinuteAndComesBackTenMinutesLater() {
    var bench = Bench(seed: 12)
    let still = bench.run(seconds: 600, from: 30, turning: 0).filter { $0 == .turnRequested || $0 == .turnRequestEnded }
    #expect(still == [.turnRequested, .turnRequestEnded])
    #expect(bench.run(seconds: 10, from: 30, turning: 0).contains(.turnRequested))
    #expect(bench.calibrator.dismiss() == [.turnRequestEnded])
    #expect(bench.calibrator.dismiss().isEmpty)
  }

  @Test func aStrongMagnetIsInterference() throws {
    var bench = Bench(seed: 13)
    _ = bench.run(seconds: 30, from: 0, turning: 20)
    #expect(bench.error(at: 90) != nil)
    bench.disturbance = SIMD3(0, 0, 150)
    #expect(!bench.run(seconds: 9, from: 0, turning: 0).contains(.interferenceBegan))
    #expect(bench.run(seconds: 3, from: 0, turning: 0).contains(.interferenceBegan))
    #expect(bench.error(at: 90) == nil)
    bench.disturbance = .zero
    #expect(bench.run(seconds: 12, from: 0, turning: 0).contains(.interferenceEnded))
    #expect(try #require(bench.error(at: 90)) < 3)
  }

  /// A magnet that was mounted to the device is part of its offset from then on.
  @Test func aMountedMagnetIsLearned() throws {
    var bench = Bench(seed: 14)
    _ = bench.run(seconds: 30, from: 0, turning: 20)
    bench.disturbance = SIMD3(12, -7, 4)
    _ = bench.run(seconds: 180, from: 0, turning: 20)
    // The offset is that of the device with its magnet: the exact readings of the bench are without it.
    let exact = bench.device.exactSample(in: bench.device.attitude(heading: 250))
    let mounted = MagnetometerSample(microtesla: exact.microtesla + bench.disturbance, acceleration: exact.up)
    let found = try #require(bench.calibrator.heading(of: mounted))
    #expect((found.magneticDegrees - 250).magnitude < 3)
  }

  @Test func aStoredCalibrationServesFromTheStart() throws {
    var first = Bench(seed: 15)
    _ = first.run(seconds: 30, from: 0, turning: 20)
    let stored = try #require(first.calibrator.calibration)
    var second = Bench(seed: 15, stored: stored)
    #expect(try #require(second.error(at: 120)) < 3)
    #expect(second.run(seconds: 10, from: 120, turning: 0).isEmpty)
    #expect(stored.aged(by: .seconds(36_000)).offsetVariance > stored.offsetVariance + 29)
  }
}
