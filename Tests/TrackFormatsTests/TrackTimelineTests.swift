import Geodesy
import Testing
import TrackFormats

@Suite struct TrackTimelineTests {
  @Test func betweenTwoFixesLiesTheGeodesic() throws {
    var timeline = TrackTimeline()
    let (first, second) = (SampleTrack.fix(60, 179.5), SampleTrack.fix(61, -179.5, after: 100))
    timeline.append(.fix(first))
    timeline.append(.fix(second))
    let sample = try #require(timeline.sample(at: SampleTrack.start + .seconds(25), within: .seconds(100)))
    let whole = Geodesic.inverse(from: first.coordinate, to: second.coordinate).distance.value
    let before = Geodesic.inverse(from: first.coordinate, to: sample.coordinate).distance.value
    let after = Geodesic.inverse(from: sample.coordinate, to: second.coordinate).distance.value
    #expect((before - whole / 4).magnitude < 1e-6)
    #expect((before + after - whole).magnitude < 1e-6)
    #expect(sample.heightAboveMeanSeaLevel.map { ($0.value - 545.4).magnitude < 1e-9 } == true)
  }

  @Test func theLimitHolds() {
    var timeline = TrackTimeline()
    for seconds in [0.0, 10, 200] { timeline.append(.fix(SampleTrack.fix(1, 2, after: seconds))) }
    func place(_ seconds: Double, _ limit: Int) -> TrackSample? {
      timeline.sample(at: SampleTrack.start + .seconds(seconds), within: .seconds(limit))
    }
    #expect(place(5, 10) != nil)
    #expect(place(5, 4) == nil)
    // Too far apart to be connected: the result is the nearest fix, unchanged.
    #expect(place(20, 60)?.time == SampleTrack.start + .seconds(10))
    #expect(place(100, 60) == nil)
    #expect(place(230, 60)?.time == SampleTrack.start + .seconds(200))
    #expect(place(-61, 60) == nil)
  }

  @Test func interruptionsAreNotBridged() {
    var timeline = TrackTimeline()
    timeline.append(.fix(SampleTrack.fix(1, 2)))
    timeline.append(.interruption(.gap))
    timeline.append(.fix(SampleTrack.fix(3, 4, after: 10)))
    let sample = timeline.sample(at: SampleTrack.start + .seconds(4), within: .seconds(60))
    #expect(sample?.coordinate.latitude.degrees == 1)
    // A fix with the same time is left out.
    timeline.append(.fix(SampleTrack.fix(5, 6, after: 10)))
    #expect(timeline.count == 2)
  }

  @Test func whatFollowsAWrongDateHasItsPlace() {
    var timeline = TrackTimeline()
    timeline.append(.fix(SampleTrack.fix(1, 2)))
    timeline.append(.fix(SampleTrack.fix(3, 4, after: 3 * 86_400)))
    timeline.append(.fix(SampleTrack.fix(5, 6, after: 60)))
    timeline.append(.fix(SampleTrack.fix(7, 8, after: 70)))
    let sample = timeline.sample(at: SampleTrack.start + .seconds(60), within: .seconds(10))
    #expect(sample?.coordinate.latitude.degrees == 5)
    #expect(timeline.sample(at: SampleTrack.start + .seconds(40), within: .seconds(10)) == nil)
  }
}
