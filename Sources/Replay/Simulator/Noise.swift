/// How far a simulated receiver's measurements are off: seeded, so that the same epoch is always off by the same. What the
/// receiver says of its accuracy is exactly this.
package struct Noise: Hashable, Sendable {
  /// Which of all the possible errors.
  package var seed: UInt64 = 1
  /// Standard deviation of north and of east, in metres.
  package var horizontalMeters = 1.2
  /// Standard deviation of the height, in metres.
  package var verticalMeters = 2.0
  /// Standard deviation of each component of the velocity, in metres per second.
  package var speedMetersPerSecond = 0.05

  package init() {}

  /// No error at all. The receiver then says that it is accurate to the least figure that its messages have.
  package static let none: Noise = {
    var noise = Noise()
    noise.horizontalMeters = 0
    noise.verticalMeters = 0
    noise.speedMetersPerSecond = 0
    return noise
  }()
}
