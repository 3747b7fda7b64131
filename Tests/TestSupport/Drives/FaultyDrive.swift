package import Geodesy

/// A simulated drive through a town, with one fault of the receiver: its reports of each second, and the true positions.
package struct FaultyDrive {
  /// The velocities that a receiver reports.
  package enum Velocities: CaseIterable, Sendable {
    /// Measured by Doppler, whatever the position does.
    case doppler
    /// Computed by the receiver's own filter from the positions that it reports.
    case ofPlaces
    case absent
  }

  package private(set) var fixes: [(fix: PositionFix, truth: Coordinate)] = []

  private static let origin = Coordinate(latitude: Angle(degrees: 47.4), longitude: Angle(degrees: 8.5))
  private static let start: Int64 = 1_790_000_000_000_000_000

  /// Carrier phase solutions among high houses: stretches of fixed, float, and code solutions, each with its true accuracy.
  ///
  /// - Parameters:
  ///   - badVelocityAt: the second with a velocity of 171 m/s in a random direction; `nil`: there is none.
  ///   - count: the number of consecutive seconds with this velocity, all in the same direction.
  package init(carrierPhaseFor seconds: Int, badVelocityAt bad: Int?, for count: Int = 1, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let drive = Self.drive(seconds: seconds, &random)
    var (sigma, left, error) = (0.13, 0, SIMD2<Double>.zero)
    var badVelocity: SIMD2<Double>?
    for (second, moment) in drive.enumerated() {
      if left == 0 {
        // In a street canyon, a receiver keeps its ambiguities for a few seconds up to half a minute.
        left = Int.random(in: 4...30, using: &random)
        sigma = [0.02, 0.13, 0.6, 3, 10].randomElement(using: &random) ?? 3
        error = Self.pair(sigma, &random)
      }
      left -= 1
      // Errors by reflections last for some seconds.
      error = error * 0.9 + Self.pair(sigma * 0.19.squareRoot(), &random)
      var velocity = moment.velocity + Self.pair(0.05, &random)
      if let bad, (bad..<bad + count).contains(second) {
        if badVelocity == nil {
          let direction = Double.random(in: 0..<2 * .pi, using: &random)
          badVelocity = SIMD2(Math.sin(direction), Math.cos(direction)) * 171.4
        }
        velocity = badVelocity ?? velocity
      }
      append(second, moment.place + error, radius: 1.515 * sigma, velocity, truth: moment.place)
    }
  }

  /// A receiver with a filter drifts off for 13 s, to `distance` meters, and is suddenly right again at second
  /// `returnsAt`.
  package init(
    excursionTo distance: Double, returnsAt: Int, seconds: Int, velocities: Velocities, seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let drive = Self.drive(seconds: seconds, &random)
    let course = Double.random(in: 0..<2 * .pi, using: &random)
    let direction = SIMD2(Math.sin(course), Math.cos(course))
    var error = Self.pair(2.5, &random)
    for (second, moment) in drive.enumerated() {
      error = error * 0.98 + Self.pair(0.5, &random)
      let away = second < returnsAt ? max(0, Double(second - returnsAt + 14) / 13) : 0
      var velocity: SIMD2<Double>?
      switch velocities {
      case .absent: velocity = nil
      case .doppler: velocity = moment.velocity + Self.pair(0.1, &random)
      case .ofPlaces: velocity = moment.velocity + (away > 0 ? direction * (distance / 13) : .zero)
      }
      append(second, moment.place + error + direction * (distance * away), radius: 7.6, velocity, truth: moment.place)
    }
  }

  /// The number of epochs from `first` on until the error of an answer is at most twice the error of the receiver's own
  /// position.
  package static func epochsUntilRight(
    from first: Int, errors: [(answer: Double, receiver: Double)]
  ) -> Int {
    errors[first...].firstIndex { $0.answer <= 2 * $0.receiver }.map { $0 - first } ?? errors.count - first
  }

  /// A drive from corner to corner, with stops.
  private static func drive(
    seconds: Int, _ random: inout SplitMix64
  ) -> [(place: SIMD2<Double>, velocity: SIMD2<Double>)] {
    var (place, velocity) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    var (heading, wanted, speed, waits) = (0.7, 0.7, 0.0, 0)
    return (0..<seconds).map { _ in
      let moment = (place, velocity)
      if Int.random(in: 0..<40, using: &random) == 0 { wanted += Bool.random(using: &random) ? .pi / 2 : -.pi / 2 }
      if waits < -30, Int.random(in: 0..<50, using: &random) == 0 { waits = Int.random(in: 5...40, using: &random) }
      waits -= 1
      speed += min(1.5, max(-2, (waits > 0 ? 0 : 11) - speed))
      if speed > 0.5 { heading += min(0.3, max(-0.3, wanted - heading)) }
      let next = SIMD2(Math.sin(heading), Math.cos(heading)) * speed
      place += (velocity + next) * 0.5
      velocity = next
      return moment
    }
  }

  /// Two normally distributed numbers with this standard deviation (Box and Muller).
  private static func pair(_ sigma: Double, _ random: inout SplitMix64) -> SIMD2<Double> {
    let size = sigma * (-2 * Math.log(Double.random(in: 1e-12...1, using: &random))).squareRoot()
    let angle = Double.random(in: 0..<2 * .pi, using: &random)
    return SIMD2(Math.sin(angle), Math.cos(angle)) * size
  }

  private mutating func append(
    _ second: Int, _ place: SIMD2<Double>, radius: Double, _ velocity: SIMD2<Double>?, truth: SIMD2<Double>
  ) {
    let frame = LocalFrame(origin: Self.origin)
    let nanoseconds = Int64(second) * 1_000_000_000
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: Self.start + nanoseconds), timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: nanoseconds),
      coordinate: frame.coordinate(at: .init(eastMeters: place.x, northMeters: place.y)),
      horizontalRadius68: Meters(radius), kind: .threeDimensional, technologies: .gnss)
    if let velocity {
      fix.speedMetersPerSecond = Math.hypot(velocity.x, velocity.y)
      let degrees = Angle(radians: Math.atan2(velocity.x, velocity.y)).degrees
      fix.course = Angle(degrees: degrees < 0 ? degrees + 360 : degrees)
    }
    fixes.append((fix, frame.coordinate(at: .init(eastMeters: truth.x, northMeters: truth.y))))
  }
}
