import Geodesy
import HeadingSources
import TestSupport

/// A device with a magnetometer and an accelerometer, with magnets and iron of its own.
///
/// Offset ±60 µT and soft iron ±8 % for each element, uniformly distributed; an error of the accelerometer of 0.02 g along each
/// axis; a field of 48 µT with an inclination of 65°, as in central Europe.
struct SimulatedMagnetometer {
  static let field = LocalMagneticField(microtesla: 48, inclination: Angle(degrees: 65))

  private var random: SplitMix64
  private let offset: SIMD3<Double>
  /// The inverse of 1 + S, by rows.
  private let distortion: [SIMD3<Double>]
  let noiseMicrotesla: Double

  init(seed: UInt64, noiseMicrotesla: Double) {
    var random = SplitMix64(seed: seed)
    offset = SIMD3.random(in: -60...60, using: &random)
    let s = (0..<6).map { _ in Double.random(in: -0.08...0.08, using: &random) }
    distortion = Self.inverse([
      SIMD3(1 + s[0], s[1], s[2]), SIMD3(s[1], 1 + s[3], s[4]), SIMD3(s[2], s[4], 1 + s[5]),
    ])
    self.noiseMicrotesla = noiseMicrotesla
    self.random = random
  }

  /// The attitude of the device: its axes in the frame east, north, up.
  struct Attitude {
    let axes: [SIMD3<Double>]
    /// The heading of the front, 0..<360°.
    var heading: Double {
      let degrees = Angle(radians: Math.atan2(axes[1].x, axes[1].y)).degrees
      return degrees < 0 ? degrees + 360 : degrees
    }
  }

  /// A reading in this attitude. The frame's north is magnetic north.
  mutating func sample(in attitude: Attitude) -> MagnetometerSample {
    sample(in: attitude, field: normal(noiseMicrotesla), acceleration: normal(0.02))
  }

  /// The same reading without noise.
  func exactSample(in attitude: Attitude) -> MagnetometerSample {
    sample(in: attitude, field: .zero, acceleration: .zero)
  }

  private func sample(
    in attitude: Attitude, field noise: SIMD3<Double>, acceleration tremor: SIMD3<Double>
  ) -> MagnetometerSample {
    let inclination = Angle(degrees: 65).radians
    let earth = SIMD3(0, 48 * Math.cos(inclination), -48 * Math.sin(inclination))
    let field = SIMD3(dot(attitude.axes[0], earth), dot(attitude.axes[1], earth), dot(attitude.axes[2], earth))
    let bent = SIMD3(dot(distortion[0], field), dot(distortion[1], field), dot(distortion[2], field))
    let up = SIMD3(attitude.axes[0].z, attitude.axes[1].z, attitude.axes[2].z)
    return MagnetometerSample(
      microtesla: bent + offset + noise, acceleration: up + tremor)
  }

  /// An attitude with this heading and a random tilt up to `tilt` degrees about both horizontal axes.
  mutating func attitude(heading: Double, tilt: Double) -> Attitude {
    attitude(
      heading: heading, pitchDegrees: Double.random(in: -tilt...tilt, using: &random),
      rollDegrees: Double.random(in: -tilt...tilt, using: &random))
  }

  /// An attitude with this heading, the front raised by the pitch and the left side by the roll.
  func attitude(heading: Double, pitchDegrees: Double = 0, rollDegrees: Double = 0) -> Attitude {
    let pitch = Angle(degrees: pitchDegrees).radians
    let roll = Angle(degrees: rollDegrees).radians
    let yaw = Angle(degrees: heading).radians
    let front = SIMD3(Math.sin(yaw) * Math.cos(pitch), Math.cos(yaw) * Math.cos(pitch), Math.sin(pitch))
    let levelRight = SIMD3(Math.cos(yaw), -Math.sin(yaw), 0)
    let levelUp = cross(levelRight, front)
    let right = levelRight * Math.cos(roll) - levelUp * Math.sin(roll)
    return Attitude(axes: [right, front, cross(right, front)])
  }

  /// Any attitude with the same probability (from a random quaternion).
  mutating func anyAttitude() -> Attitude {
    var q: [Double] = []
    for _ in 0..<4 { q.append(random.nextNormal()) }
    let length = q.map { $0 * $0 }.reduce(0, +).squareRoot()
    let (w, x, y, z) = (q[0] / length, q[1] / length, q[2] / length, q[3] / length)
    let right = SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y))
    let front = SIMD3(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x))
    return Attitude(axes: [right, front, cross(right, front)])
  }

  /// One level turn: 120 readings with a tilt of up to `tilt` degrees.
  mutating func turn(tilt: Double) -> [MagnetometerSample] {
    (0..<120).map { sample(in: attitude(heading: Double($0) * 3, tilt: tilt)) }
  }

  /// 120 readings in any attitude.
  mutating func tumble() -> [MagnetometerSample] { (0..<120).map { _ in sample(in: anyAttitude()) } }

  private mutating func normal(_ sigma: Double) -> SIMD3<Double> {
    SIMD3(random.nextNormal(), random.nextNormal(), random.nextNormal()) * sigma
  }

  private func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }

  private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> { Self.cross(a, b) }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  /// The inverse of a symmetric matrix, whose columns are the vector products of its rows divided by the determinant.
  private static func inverse(_ m: [SIMD3<Double>]) -> [SIMD3<Double>] {
    let determinant = (m[0] * cross(m[1], m[2])).sum()
    return [cross(m[1], m[2]) / determinant, cross(m[2], m[0]) / determinant, cross(m[0], m[1]) / determinant]
  }
}
