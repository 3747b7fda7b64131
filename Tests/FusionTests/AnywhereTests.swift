import Fusion
import Geodesy
import LocationReplay
import Testing

/// The estimate of the same drive is the same everywhere on Earth.
@Suite struct AnywhereTests {
  private static let places = [
    (0.0, 0.0), (0, 180), (0, -180), (52, 179.999), (-33, -179.9999), (89.9999, 10), (-89.9999, -170), (90, 0),
    (-90, 45),
  ]

  @Test(arguments: places) func itIsTheSameEverywhere(latitude: Double, longitude: Double) {
    let origin = Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
    // Straight across the date line or the pole and back: ten minutes at 14 m/s also leave the first local frame.
    let drive = SimulatedDrive(seconds: 700, speed: 14, seed: 12)
    let receiver = SimulatedDrive.Receiver(white: 4, outliers: 0.05, radius: 6)
    let here = compare(drive.fixes(receiver, from: origin, seed: 5))
    let there = compare(drive.fixes(receiver, seed: 5))
    #expect(abs(here.causal.rms - there.causal.rms) < 1e-4 && abs(here.lagged.rms - there.lagged.rms) < 1e-4)
    #expect(here.causal.rms <= 0.5 * here.raw.rms)
  }

  /// An airliner leaves one local frame after another.
  @Test func fastAndFar() {
    var drive = SimulatedDrive(seconds: 900, speed: 250, seed: 12)
    drive.replace(by: (0..<900).map { SIMD2(150, 200) * Double($0) }, velocity: SIMD2(150, 200))
    let result = compare(drive.fixes(.init(white: 4, radius: 6), seed: 5))
    #expect(result.causal.rms <= 0.6 * result.raw.rms)
  }

  /// A position on another continent is accepted after it has persisted, whatever the stream was before.
  @Test(arguments: [0.0, 4], [151.0, -171.5]) func elsewhereAllImmediately(white: Double, longitude: Double) {
    let drive = SimulatedDrive(seconds: 300, speed: 14, seed: 12)
    let receiver = SimulatedDrive.Receiver(white: white, wander: 1, radius: 6)
    let (here, there) = (
      drive.fixes(receiver, seed: 5),
      drive.fixes(
        receiver, from: Coordinate(latitude: Angle(degrees: -47.4), longitude: Angle(degrees: longitude)), seed: 5)
    )
    var estimator = Estimator()
    for index in 0..<300 {
      let (fix, truth) = index < 150 ? here[index] : there[index]
      let estimate = estimator.handle(fix, at: fix.receivedAt)
      if index > 155 { #expect((estimate?.causal.coordinate.meters(to: truth) ?? .infinity) < 20) }
    }
  }
}
