package import Geodesy

/// The positions that a receiver or a radio reports in a simulated week. Their errors are correlated over a minute or two, like
/// real ones.
package struct WeekSensor {
  package enum Kind: Sendable, CaseIterable {
    /// One fix in ten seconds; inside a house only few, with a large radius.
    case satellites
    /// One position in thirty seconds, or in five minutes while standing still; some are far off.
    case wifi
  }

  private let kind: Kind
  private let frame = LocalFrame(
    origin: Coordinate(latitude: Angle(degrees: 47.3), longitude: Angle(degrees: 8.5)))
  private var random: SplitMix64
  private var error = (east: 0.0, north: 0.0)
  private var standingSince: Double?

  package static let epoch = GNSSTime(nanosecondsSince1970: 1_795_000_000_000_000_000)
  package static let start = Instant(nanoseconds: 1_000_000_000_000)

  package init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    random = SplitMix64(seed: seed &* 77 &+ 5)
  }

  /// All positions of a week, in order.
  package mutating func fixes(of week: SimulatedWeek, _ body: (PositionFix) -> Void) {
    var time = 0.0
    while time < week.duration {
      let truth = week.truth(at: time)
      standingSince = truth.speed == 0 ? standingSince ?? time : nil
      if let fix = fix(truth, at: time) { body(fix) }
      let isStill = standingSince.map { time - $0 > 120 } ?? false
      time += kind == .satellites ? 10 : isStill ? 300 : 30
    }
  }

  /// The position at this time, if there is one.
  package mutating func fix(of week: SimulatedWeek, at time: Double) -> PositionFix? {
    fix(week.truth(at: time), at: time)
  }

  private mutating func fix(
    _ truth: (east: Double, north: Double, speed: Double, isInside: Bool), at time: Double
  ) -> PositionFix? {
    var (deviation, radius, memory) = (3.0, 5.0, 0.9)
    switch kind {
    case .satellites:
      if truth.isInside {
        if Double.random(in: 0...1, using: &random) < 0.4 { return nil }
        (deviation, radius, memory) = (15, 22, 0.8)
      }
    case .wifi:
      if Double.random(in: 0...1, using: &random) < 0.1 { return nil }
      (deviation, radius, memory) = (20, 30, 0.3)
    }
    let fresh = (1 - memory * memory).squareRoot() * deviation
    error = (memory * error.east + fresh * normal(), memory * error.north + fresh * normal())
    var offset = LocalFrame.Offset(eastMeters: truth.east + error.east, northMeters: truth.north + error.north)
    if kind == .wifi, Double.random(in: 0...1, using: &random) < 0.02 {
      offset.eastMeters += 200
      radius = 50
    }
    var fix = PositionFix(
      time: Self.epoch + .milliseconds(Int(time * 1000)), timeValidity: .confirmed,
      receivedAt: Self.start + .milliseconds(Int(time * 1000)), coordinate: frame.coordinate(at: offset),
      horizontalRadius68: Meters(radius), kind: kind == .wifi ? .estimated : .threeDimensional,
      technologies: kind == .wifi ? .wifi : .gnss)
    if kind == .satellites {
      fix.speedMetersPerSecond = max(0, truth.speed + (truth.isInside ? 0.3 : 0.1) * normal())
      fix.speedRadius68MetersPerSecond = truth.isInside ? 0.4 : 0.1
    }
    return fix
  }

  /// In meters from the center of the town.
  package func offset(of coordinate: Coordinate) -> LocalFrame.Offset { frame.offset(of: coordinate) }

  /// A random number with mean 0 and variance 1: twelve uniform ones minus six.
  private mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
  }
}
