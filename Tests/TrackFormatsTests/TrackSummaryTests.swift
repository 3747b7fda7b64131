import Geodesy
import Testing
import TrackFormats

@Suite struct TrackSummaryTests {
  private func summary(_ entries: [TrackEntry]) -> TrackSummary {
    entries.reduce(into: TrackSummary()) { $0.add($1) }
  }

  private func fix(_ latitude: Double, _ longitude: Double, after seconds: Double) -> TrackEntry {
    .fix(SampleTrack.fix(latitude, longitude, after: seconds))
  }

  @Test func anEmptyTrackHasNothing() {
    let track = summary([.interruption(.started)])
    #expect(track.fixes == 0 && track.segments == 0 && track.begin == nil && track.extent == nil)
    #expect(track.meanMovingSpeed == nil)
  }

  /// A degree of longitude on the equator is 111,319.491 m (WGS 84: a × π / 180).
  @Test func addsUpWithinSegments() throws {
    let track = summary([
      .interruption(.started), fix(0, 10, after: 0), fix(0, 10.001, after: 10),
      .interruption(.gap), fix(0, 20, after: 100), fix(0, 20, after: 160),
    ])
    #expect(track.fixes == 4 && track.segments == 2)
    #expect((track.distance.value - 111.319491).magnitude < 1e-5)
    #expect(track.moving == .seconds(10) && track.standing == .seconds(60))
    #expect(track.begin == SampleTrack.start && track.end == SampleTrack.start + .seconds(160))
    #expect((try #require(track.meanMovingSpeed) - 11.1319491).magnitude < 1e-6)
    #expect(track.maximumSpeed == 11.525)
  }

  /// The wandering position of a machine at rest does not count as motion.
  @Test func standingAddsNothingToTheSpeed() throws {
    let track = summary([fix(0, 10, after: 0), fix(0, 10.001, after: 10), fix(0, 10.0011, after: 110)])
    #expect(track.moving == .seconds(10) && track.standing == .seconds(100))
    #expect((try #require(track.meanMovingSpeed) - 11.1319491).magnitude < 1e-6)
  }

  /// At the beginning of a recording, the position moves by meters in a second while it converges.
  @Test func aPositionThatConvergesIsNotSpeed() throws {
    func slow(_ longitude: Double, after seconds: Double) -> TrackEntry {
      .fix(SampleTrack.fix(0, longitude, after: seconds) { $0.speedMetersPerSecond = 2 })
    }
    let track = summary([slow(10, after: 0), slow(10.0002, after: 1), slow(10.00022, after: 2)])
    #expect(track.moving == .seconds(2) && track.meanMovingSpeed == 2 && track.maximumSpeed == 2)
    #expect(track.distance.value > 24)
    let resting = summary(
      (0..<60).map { second in
        .fix(
          SampleTrack.fix(0, 10 + Double(second % 2) * 1e-5, after: Double(second)) { $0.speedMetersPerSecond = 0.1 })
      })
    #expect(resting.moving == .zero && resting.standing == .seconds(59) && resting.meanMovingSpeed == nil)
  }

  /// Between fixes that are far apart in time, only the distance shows how fast the machine was.
  @Test func theMeanSpeedIsNeverAboveTheMaximum() throws {
    let track = summary([fix(0, 10, after: 0), fix(0, 10.003, after: 20), fix(0, 10.0031, after: 21)])
    let mean = try #require(track.meanMovingSpeed)
    #expect(mean > 11.525 && track.maximumSpeed == mean)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var (longitude, time) = (10.0, 0.0)
      let entries = (0..<30).map { _ in
        longitude += Double.random(in: -2e-4...4e-4, using: &random)
        time += Double.random(in: 0.2...8, using: &random)
        let speed = Bool.random(using: &random) ? Double.random(in: 0...20, using: &random) : nil
        return TrackEntry.fix(SampleTrack.fix(0, longitude, after: time) { $0.speedMetersPerSecond = speed })
      }
      let track = summary(entries)
      guard let mean = track.meanMovingSpeed, let maximum = track.maximumSpeed else { continue }
      #expect(mean <= maximum)
    }
  }

  @Test func theExtentCrossesTheDateLine() throws {
    let extent = try #require(summary([fix(-16, 179.5, after: 0), fix(-17, -179.5, after: 60)]).extent)
    #expect(extent.south.degrees == -17 && extent.north.degrees == -16)
    #expect(extent.west.degrees == 179.5 && (extent.east.degrees - 180.5).magnitude < 1e-9)
    #expect(extent.longitudes.west.degrees == 179.5)
    #expect((extent.longitudes.east.degrees + 179.5).magnitude < 1e-9)
    let back = try #require(summary([fix(0, -179.5, after: 0), fix(0, 179.5, after: 60)]).extent)
    #expect((back.west.degrees - 179.5).magnitude < 1e-9 && (back.east.degrees - 180.5).magnitude < 1e-9)
  }

  @Test func aTrackAroundTheEarthHasAllLongitudes() throws {
    let track = summary(
      (0...40).map { fix(0, (-175 + Double($0) * 9.5).remainder(dividingBy: 360), after: Double($0)) })
    let longitudes = try #require(track.extent).longitudes
    #expect((-180...180).contains(longitudes.west.degrees) && (-180...180).contains(longitudes.east.degrees))
  }

  @Test func aClockThatStepsBackAddsNoTime() {
    let track = summary([fix(0, 10, after: 100), fix(0, 10.001, after: 0)])
    #expect(track.moving == .zero && track.standing == .zero)
    #expect(track.end == SampleTrack.start + .seconds(100))
  }

  @Test func positionsThatAreInvalidAreLeftOut() {
    #expect(summary([fix(.nan, 0, after: 0), fix(91, 0, after: 1)]).fixes == 0)
  }
}
