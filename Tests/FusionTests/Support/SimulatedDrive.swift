import Foundation
import Geodesy
import TestSupport

/// A simulated drive through a town, one position per second: straight on, around corners, and standing at traffic lights.
struct SimulatedDrive {
  /// A moment of the drive: meters and meters per second, east and north of its start.
  struct Moment {
    var seconds: Double
    var place: SIMD2<Double>
    var velocity: SIMD2<Double>
  }

  /// The errors of a receiver.
  struct Receiver {
    /// White error per axis in meters: a receiver that filters leaves none of it.
    var white = 0.0
    /// Wandering error per axis in meters, and its correlation time in seconds.
    var wander = 0.0
    var wanderSeconds = 60.0
    /// Share of the epochs that are outliers, and their distance per axis in meters.
    var outliers = 0.0
    var outlierMeters = 40.0
    /// Error of the velocity per axis in m/s; `nil`: none is reported.
    var velocity: Double? = 0.08
    /// The radius that it reports, in meters.
    var radius = 3.0
  }

  private(set) var moments: [Moment] = []

  /// A drive of this many seconds at this speed in m/s.
  init(seconds: Int, speed: Double, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (place, velocity) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    var (heading, wanted, now, waits) = (0.7, 0.7, 0.0, 0)
    for second in 0..<seconds {
      moments.append(Moment(seconds: Double(second), place: place, velocity: velocity))
      if Int.random(in: 0..<50, using: &random) == 0 { wanted += Bool.random(using: &random) ? .pi / 2 : -.pi / 2 }
      if waits <= -40, Int.random(in: 0..<60, using: &random) == 0 { waits = Int.random(in: 10..<50, using: &random) }
      waits -= 1
      now += min(1.5, max(-2, (waits > 0 ? 0 : speed) - now))
      heading += min(0.3, max(-0.3, wanted - heading)) * (now > 0.5 ? 1 : 0)
      let next = SIMD2(Math.sin(heading), Math.cos(heading)) * now
      place += (velocity + next) * 0.5
      velocity = next
    }
  }

  /// Moves the drive to another route.
  mutating func replace(by places: [SIMD2<Double>], velocity: SIMD2<Double>) {
    for index in moments.indices {
      moments[index].place = places[index]
      moments[index].velocity = velocity
    }
  }

  /// The fixes that the receiver reports, with the true positions.
  func fixes(_ receiver: Receiver, from origin: Coordinate = .town, seed: UInt64) -> [(
    fix: PositionFix, truth: Coordinate
  )] {
    var random = SplitMix64(seed: seed)
    func normal() -> Double {
      let r = (-2 * log(Double.random(in: 0x1p-60..<1, using: &random))).squareRoot()
      return r * Math.cos(2 * .pi * Double.random(in: 0..<1, using: &random))
    }
    func pair(_ sigma: Double) -> SIMD2<Double> { SIMD2(normal(), normal()) * sigma }
    let kept = Math.exp(-1 / receiver.wanderSeconds)
    var wander = pair(receiver.wander)
    return moments.map { moment in
      wander = wander * kept + pair(receiver.wander) * (1 - kept * kept).squareRoot()
      var error = wander + pair(receiver.white)
      if Double.random(in: 0..<1, using: &random) < receiver.outliers { error += pair(receiver.outlierMeters) }
      let truth = origin.moved(by: moment.place)
      var fix = PositionFix.test(
        at: moment.seconds, origin.moved(by: moment.place + error), radius: receiver.radius)
      if let sigma = receiver.velocity {
        let isStanding = moment.velocity == .zero
        let velocity = moment.velocity + pair(isStanding ? sigma / 10 : sigma)
        fix.set(velocity, from: origin, at: moment.place + error)
      }
      return (fix, truth)
    }
  }
}

extension Coordinate {
  static let town = Coordinate(latitude: Angle(degrees: 47.4), longitude: Angle(degrees: 8.5))

  /// The position this many meters east and north, along the geodesic.
  func moved(by offset: SIMD2<Double>) -> Coordinate {
    Geodesic.direct(
      from: self, course: Angle(radians: Math.atan2(offset.x, offset.y)),
      distance: Meters(Math.hypot(offset.x, offset.y))
    ).coordinate
  }

  func meters(to other: Coordinate) -> Double { Geodesic.inverse(from: self, to: other).distance.value }
}

extension PositionFix {
  /// A receiver's fix this many seconds after the start.
  static func test(at seconds: Double, _ place: Coordinate, radius: Double = 3) -> PositionFix {
    let nanoseconds = Int64((seconds * 1e9).rounded())
    return PositionFix(
      time: GNSSTime(nanosecondsSince1970: 1_700_000_000_000_000_000 + nanoseconds), timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: nanoseconds), coordinate: place, horizontalRadius68: Meters(radius),
      kind: .threeDimensional, technologies: .gnss)
  }

  /// Sets speed and course relative to north at the fix itself, `place` meters from `origin`.
  mutating func set(_ velocity: SIMD2<Double>, from origin: Coordinate, at place: SIMD2<Double>) {
    let speed = Math.hypot(velocity.x, velocity.y)
    speedMetersPerSecond = speed
    guard speed > 0.3 else { return }
    course =
      Geodesic.inverse(
        from: origin.moved(by: place), to: origin.moved(by: place + velocity * (10 / speed))
      ).initialCourse
  }
}
