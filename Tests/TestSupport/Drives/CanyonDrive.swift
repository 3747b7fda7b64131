package import Geodesy
import LocationReplay

/// A drive with satellites and Wi-Fi: among high houses the satellites are off for a while although the receiver filters its
/// positions and reports a good accuracy. The errors of positions by Wi-Fi are those of the access points of a street: neighboring
/// positions have the same.
package struct CanyonDrive {
  /// One report, in the order of time.
  package struct Report {
    /// A satellite fix or a position by Wi-Fi.
    package var fix: PositionFix
    package var truth: Coordinate
  }

  package private(set) var reports: [Report] = []

  /// Seconds between two scans.
  package static let interval = 10

  /// The errors of positions by Wi-Fi.
  package struct WiFi {
    /// Standard deviation per axis of the common error of a place, meters, and the distance over which it is the same.
    package var meters = 33.0
    package var length = 100.0
    /// Share of the positions that are somewhere else, because access points have moved, and how far, meters.
    package var moved = 0.05
    package var movedMeters = 300.0
    /// The radius that they report, meters.
    package var radius = 50.0

    package init() {}
  }

  /// A simulated town, where `share` of the time the satellites are off by `meters` per axis, for 40 s on average.
  package init(seed: UInt64, minutes: Int = 30, share: Double, meters: Double, wifi: WiFi = WiFi()) {
    let drive = TrueDrive(seed: seed, minutes: minutes)
    var random = SplitMix64(seed: seed &+ 7)
    var (isCanyon, left) = (false, 60)
    var (calm, canyon, aim) = (Self.pair(1.5, &random), SIMD2<Double>.zero, SIMD2<Double>.zero)
    let truths = drive.fixes
    let fixes = truths.map { fix in
      if left == 0 {
        isCanyon.toggle()
        let mean = isCanyon ? 40.0 : 40 * (1 - share) / share
        left = max(3, Int(-mean * Math.log(Double.random(in: 1e-9...1, using: &random))))
        aim = isCanyon ? Self.pair(meters, &random) : .zero
      }
      left -= 1
      calm = calm * 0.98 + Self.pair(1.5 * 0.2, &random)
      // The receiver's filter follows its reflections within some seconds.
      canyon += (aim - canyon) * 0.15
      var fix = fix
      fix.coordinate = LocalFrame(origin: fix.coordinate).coordinate(
        at: .init(eastMeters: calm.x + canyon.x, northMeters: calm.y + canyon.y))
      fix.horizontalRadius68 = Meters(isCanyon ? 12 : 4)
      return fix
    }
    self.init(fixes, truths: truths.map(\.coordinate), wifi: wifi, seed: seed)
  }

  /// Recorded fixes with simulated Wi-Fi.
  package init(_ fixes: [PositionFix], truths: [Coordinate], wifi: WiFi = WiFi(), seed: UInt64) {
    guard let first = fixes.first, let origin = truths.first else { return }
    var random = SplitMix64(seed: seed &+ 99)
    let field = ErrorField(meters: wifi.meters, length: wifi.length, seed: seed)
    let frame = LocalFrame(origin: origin)
    var next = first.time
    for (fix, truth) in zip(fixes, truths) {
      reports.append(Report(fix: fix, truth: truth))
      guard fix.time >= next else { continue }
      next = fix.time + .seconds(Self.interval)
      let offset = frame.offset(of: truth)
      var error = field.error(at: SIMD2(offset.eastMeters, offset.northMeters))
      if Double.random(in: 0..<1, using: &random) < wifi.moved { error += Self.pair(wifi.movedMeters, &random) }
      var coarse = fix
      coarse.coordinate = LocalFrame(origin: truth).coordinate(
        at: .init(eastMeters: error.x, northMeters: error.y))
      coarse.horizontalRadius68 = Meters(wifi.radius)
      coarse.horizontalRadiusBasis = .accuracy
      coarse.technologies = .wifi
      (coarse.speedMetersPerSecond, coarse.speedRadius68MetersPerSecond) = (nil, nil)
      (coarse.course, coarse.courseRadius68) = (nil, nil)
      coarse.receivedAt = fix.receivedAt + .milliseconds(300)
      coarse.time = fix.time + .milliseconds(300)
      reports.append(Report(fix: coarse, truth: truth))
    }
  }

  /// Two normally distributed numbers with this standard deviation.
  private static func pair(_ sigma: Double, _ random: inout SplitMix64) -> SIMD2<Double> {
    SIMD2(random.nextNormal(), random.nextNormal()) * sigma
  }
}

/// Errors that depend on the place: normally distributed, and alike at places nearer to each other than `length`. A sum of plane
/// waves (Rahimi and Recht, "Random features for large-scale kernel machines", 2007), with the correlation exp(−d² / 2 length²).
package struct ErrorField: Sendable {
  private struct Wave: Sendable {
    var number: SIMD2<Double>
    var phases: SIMD2<Double>
  }

  private let waves: [Wave]
  private let scale: Double

  /// - Parameter meters: the standard deviation per axis.
  package init(meters: Double, length: Double, seed: UInt64) {
    var random = SplitMix64(seed: seed &* 31 &+ 5)
    waves = (0..<64).map { _ in
      Wave(
        number: SIMD2(random.nextNormal(), random.nextNormal()) / length,
        phases: SIMD2(.random(in: 0..<2 * .pi, using: &random), .random(in: 0..<2 * .pi, using: &random)))
    }
    scale = meters * (2 / Double(waves.count)).squareRoot()
  }

  /// The error at a place in meters.
  package func error(at place: SIMD2<Double>) -> SIMD2<Double> {
    var sum = SIMD2<Double>.zero
    for wave in waves {
      let angle = (wave.number * place).sum()
      sum.x += Math.cos(angle + wave.phases.x)
      sum.y += Math.cos(angle + wave.phases.y)
    }
    return sum * scale
  }
}
