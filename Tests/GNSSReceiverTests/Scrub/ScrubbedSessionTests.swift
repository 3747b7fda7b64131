import Foundation
import GNSSReceiver
import Geodesy
import LocationReplay
import TestSupport
import Testing

/// A session receives a scrubbed recording like the original, but at another place.
@Suite struct ScrubbedSessionTests {
  /// All kinds of errors, and a track at 12 m/s.
  private func configuration(_ dialect: Dialect, from place: SimulatedPosition) -> SimulatedReceiver.Configuration {
    .of(dialect) {
      $0.extraSentences = [.gst, .zda, .gns, .pubx00]
      $0.trajectory = .line(from: place, course: Angle(degrees: 33), metersPerSecond: 12)
      $0.coldStart = ColdStart(
        timeOfDay: .seconds(2), date: .seconds(4), satellitesInView: .seconds(2), fix2D: .seconds(8),
        fix3D: .seconds(11))
      $0.faults = [
        .lossOfFix(.seconds(30) ..< .seconds(36)), .corruption(every: 7),
        .garbage(.seconds(40) ..< .seconds(50), bytes: 40),
        .frozenPosition(.seconds(52) ..< .seconds(62)), .stall(.seconds(66) ..< .seconds(72)),
      ]
    }
  }

  private static let places: [SimulatedPosition] = [
    SimulatedPosition(latitude: 47.285, longitude: 8.565, height: 455),
    SimulatedPosition(latitude: -0.001, longitude: 179.999, height: 12),
    SimulatedPosition(latitude: 78.2, longitude: 15.6, height: 30),
    SimulatedPosition(latitude: -54.8, longitude: -68.3, height: 1800),
  ]

  @Test(arguments: Dialect.allCases) func theSameHappens(dialect: Dialect) {
    for (seed, place) in Self.places.enumerated() {
      let pair = ScrubbedPair(configuration(dialect, from: place), for: .seconds(90), seed: UInt64(seed))
      #expect(pair.original.fixes.count > 30)
      expectTheSame(pair)
      expectTheSameShape(pair, rounding: 0.1)
    }
  }

  /// Across a pole, where courses turn by 180° within meters.
  @Test func theSameHappensAtThePole() {
    let place = SimulatedPosition(latitude: 89.9995, longitude: 20, height: 30)
    for dialect in [Dialect.nmea411, .ublox9] {
      expectTheSame(ScrubbedPair(configuration(dialect, from: place), for: .seconds(90), seed: 5))
    }
  }

  @Test(.enabled(if: RecordedDrive.isThere, "\(RecordedDrive.whatIsMissing)"))
  func theRecordedDriveIsTheSame() throws {
    let drive = try RecordedDrive()
    let pieces = drive.epochs.enumerated().map { (milliseconds: Int64($0.offset) * 1000, bytes: $0.element) }
    let pair = ScrubbedPair(pieces, seed: 11)
    #expect(pair.original.fixes.count >= drive.epochs.count)
    expectTheSame(pair)
    // Five decimals of a minute are 2 cm.
    expectTheSameShape(pair, rounding: 0.06)
  }

  // MARK: -

  /// Everything that is reported about an epoch except for its position.
  private struct Telling: Hashable {
    var stage: EpochStage
    var time: GNSSTime?
    var kind: FixKind?
    var satellitesUsed: Int?
    var speed: Double?
    var qualityFlag: FixQualityFlag?
    var hasHeight: Bool
    var hasCourse: Bool
    var verticalRadius: Meters?
    var sky: SkySummary
    var isWhole: Bool
    var isTracked: Bool

    init(_ epoch: GNSSEpoch) {
      stage = epoch.stage
      time = epoch.fix?.time
      kind = epoch.fix?.kind
      satellitesUsed = epoch.fix?.satellitesUsed
      speed = epoch.fix?.speedMetersPerSecond
      qualityFlag = epoch.fix?.qualityFlag
      hasHeight = epoch.fix?.heightAboveMeanSeaLevel != nil
      hasCourse = epoch.fix?.course != nil
      verticalRadius = epoch.fix?.verticalRadius68
      sky = epoch.sky
      isWhole = epoch.isWhole
      isTracked = epoch.isTracked
    }
  }

  private func expectTheSame(_ pair: ScrubbedPair, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(pair.original.bytes.count == pair.scrubbed.bytes.count, sourceLocation: sourceLocation)
    #expect(pair.original.states == pair.scrubbed.states, sourceLocation: sourceLocation)
    #expect(
      pair.original.epochs.map(Telling.init) == pair.scrubbed.epochs.map(Telling.init), sourceLocation: sourceLocation)
    for (one, other) in zip(pair.original.epochs, pair.scrubbed.epochs) {
      guard let radius = one.fix?.horizontalRadius68, let otherRadius = other.fix?.horizontalRadius68 else { continue }
      #expect(abs(otherRadius.value / radius.value - 1) < 1e-5, sourceLocation: sourceLocation)
    }
  }

  /// The distances between fixes, and the courses relative to the track, are unchanged.
  private func expectTheSameShape(
    _ pair: ScrubbedPair, rounding: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (one, other) = (pair.original.fixes, pair.scrubbed.fixes)
    guard one.count == other.count, let first = one.first, let otherFirst = other.first else {
      Issue.record("not as many fixes", sourceLocation: sourceLocation)
      return
    }
    #expect(
      Geodesic.inverse(from: first.coordinate, to: otherFirst.coordinate).distance > Meters(10_000),
      sourceLocation: sourceLocation)
    var courses = 0
    for index in one.indices.dropFirst() {
      for earlier in [0, index - 1] {
        let way = Geodesic.inverse(from: one[earlier].coordinate, to: one[index].coordinate)
        let otherWay = Geodesic.inverse(from: other[earlier].coordinate, to: other[index].coordinate)
        #expect(abs((way.distance - otherWay.distance).value) < 2 * rounding, sourceLocation: sourceLocation)
        guard way.distance > Meters(8), let course = one[index].course, let otherCourse = other[index].course else {
          continue
        }
        courses += 1
        let turn = (course.degrees - way.finalCourse.degrees) - (otherCourse.degrees - otherWay.finalCourse.degrees)
        // A course with one digit has no room for decimals if it becomes one with three digits. The direction of the track is as
        // precise as its ends.
        let tolerance = (course.degrees < 10 ? 0.55 : 0.15) + Angle(radians: 2 * rounding / way.distance.value).degrees
        #expect(abs(turn.remainder(dividingBy: 360)) < tolerance, sourceLocation: sourceLocation)
      }
      if let height = one[index].heightAboveMeanSeaLevel, let start = first.heightAboveMeanSeaLevel,
        let otherHeight = other[index].heightAboveMeanSeaLevel, let otherStart = otherFirst.heightAboveMeanSeaLevel
      {
        #expect(
          abs(((height - start) - (otherHeight - otherStart)).value) < 1.1, sourceLocation: sourceLocation)
      }
    }
    #expect(courses > 10, sourceLocation: sourceLocation)
  }
}
