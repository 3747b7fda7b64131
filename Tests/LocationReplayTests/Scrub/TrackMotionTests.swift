import Geodesy
import LocationReplay
import TestSupport
import Testing

/// The motion of a track as geometry.
@Suite struct TrackMotionTests {
  private func motion(_ seed: UInt64) -> TrackMotion {
    var generator = SplitMix64(seed: seed)
    return TrackMotion(using: &generator)
  }

  private func moved(_ motion: inout TrackMotion, _ place: Coordinate, _ step: Double = 0) throws -> Coordinate {
    let moved = motion.move(place, step: step, isFix: true)
    return try #require(moved)
  }

  private static let anchors = [
    Coordinate(latitude: Angle(degrees: 47.285), longitude: Angle(degrees: 8.565)),
    Coordinate(latitude: Angle(degrees: 0), longitude: Angle(degrees: 180)),
    Coordinate(latitude: Angle(degrees: -89.9999), longitude: Angle(degrees: -20)),
    Coordinate(latitude: Angle(degrees: 90), longitude: Angle(degrees: 0)),
  ]

  /// The limit in the doc comment: r² · 10⁻¹⁶ m⁻² of the distance, and the error of the geodesics themselves.
  @Test(arguments: [1_000.0, 30_000, 100_000]) func distancesAreKept(radius: Double) throws {
    var generator = SplitMix64(seed: 3)
    for (seed, anchor) in Self.anchors.enumerated() {
      var motion = motion(UInt64(seed))
      _ = motion.move(anchor, step: 0, isFix: true)
      let places = (0..<40).map { _ in
        Geodesic.direct(
          from: anchor, course: Angle(degrees: Double.random(in: 0..<360, using: &generator)),
          distance: Meters(Double.random(in: 0...radius, using: &generator))
        ).coordinate
      }
      let images = try places.map { try moved(&motion, $0) }
      for (first, second) in zip(places.indices, places.indices.dropFirst()) {
        let distance = Geodesic.inverse(from: places[first], to: places[second]).distance
        let after = Geodesic.inverse(from: images[first], to: images[second]).distance
        #expect(abs((after - distance).value) < 1e-6 + distance.value * radius * radius * 1e-16)
        #expect((-90...90).contains(images[second].latitude.degrees))
        #expect((-180...180).contains(images[second].longitude.degrees))
      }
    }
  }

  /// A movement along a course becomes one along the turned course, at every position.
  @Test func directionsTurnWithTheTrack() throws {
    for (seed, anchor) in Self.anchors.enumerated() {
      var motion = motion(UInt64(seed))
      _ = motion.move(anchor, step: 0, isFix: true)
      for course in stride(from: 5.0, to: 360, by: 35) {
        let start = Geodesic.direct(from: anchor, course: Angle(degrees: course), distance: Meters(20_000)).coordinate
        let way = Geodesic.direct(from: start, course: Angle(degrees: 100), distance: Meters(50))
        let end = try moved(&motion, way.coordinate)
        let begin = try moved(&motion, start)
        let turned = motion.turned(100, isMoving: true)
        let gone = Geodesic.inverse(from: begin, to: end).initialCourse.degrees
        #expect(abs((gone - turned).remainder(dividingBy: 360)) < 0.001)
      }
    }
  }

  @Test func withoutAFixNothingIsMoved() {
    var motion = motion(1)
    #expect(motion.move(Self.anchors[0], step: 1e-7, isFix: false) == nil)
    #expect(motion.move(Self.anchors[0], step: 1e-7, isFix: true) != nil)
    #expect(motion.move(Self.anchors[1], step: 1e-7, isFix: false) != nil)
  }

  @Test func theFarSideOfTheEarthIsSomewhere() throws {
    for (seed, anchor) in Self.anchors.enumerated() {
      var motion = motion(UInt64(seed))
      _ = motion.move(anchor, step: 0, isFix: true)
      for latitude in stride(from: -90.0, through: 90, by: 30) {
        for longitude in stride(from: -180.0, through: 180, by: 45) {
          let place = Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
          let image = try moved(&motion, place)
          #expect((-90...90).contains(image.latitude.degrees) && (-180...180).contains(image.longitude.degrees))
          #expect((0..<360).contains(motion.turned(12, isMoving: true)))
        }
      }
    }
  }

  /// Reported positions lie on a grid of degrees, which would appear in the moved ones as waves with a length and direction that
  /// reveal the rotation and the latitude. `step` removes it.
  @Test(arguments: [5, 6, 7] as [UInt64]) func theGridIsGone(seed: UInt64) throws {
    let step = 1e-4 / 60
    let origin = Self.anchors[0]
    func place(_ north: Int, _ east: Int) -> Coordinate {
      Coordinate(
        latitude: Angle(degrees: origin.latitude.degrees + Double(north) * step),
        longitude: Angle(degrees: origin.longitude.degrees + Double(east) * step))
    }
    var motion = motion(seed)
    _ = motion.move(origin, step: step, isFix: true)
    let frame = LocalFrame(origin: try moved(&motion, place(0, 0)))
    func offset(_ north: Int, _ east: Int, _ step: Double) throws -> LocalFrame.Offset {
      // Discards what the motion remembers of the same position with another step.
      _ = motion.move(place(999, 999), step: step, isFix: true)
      return frame.offset(of: try moved(&motion, place(north, east), step))
    }
    let zero = try offset(0, 0, 0)
    let (up, right) = (try offset(1, 0, 0), try offset(0, 1, 0))
    let a = (up.eastMeters - zero.eastMeters, up.northMeters - zero.northMeters)
    let b = (right.eastMeters - zero.eastMeters, right.northMeters - zero.northMeters)
    // The wave whose phase is 1 along `a` and 0 along `b`.
    let area = a.0 * b.1 - a.1 * b.0
    let wave = (2 * Double.pi * b.1 / area, -2 * Double.pi * b.0 / area)
    func amplitude(_ step: Double) throws -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for north in -20..<20 {
        for east in -20..<20 {
          let place = try offset(north, east, step)
          let phase = wave.0 * place.eastMeters + wave.1 * place.northMeters
          real += Math.cos(phase)
          imaginary += Math.sin(phase)
        }
      }
      return Math.hypot(real, imaginary) / 1600
    }
    #expect(try amplitude(0) > 0.99)
    // For 1600 positions without a grid, 0.025 is expected.
    #expect(try amplitude(step) < 0.08)
  }
}
