import Geodesy
import Regions
import Testing
import TrackFormats

/// A track without what privacy zones hide.
@Suite struct TrackClipTests {
  private let center = Coordinate(latitude: Angle(degrees: 0), longitude: Angle(degrees: 10))

  private func clip(_ entries: [TrackEntry], radius: Double = 100) throws -> [TrackEntry] {
    var clip = TrackClip(PrivacyZones([.circle(try CircleShape(center: center, radius: Meters(radius)))]))
    return entries.flatMap { clip.add($0) }
  }

  /// On the equator; 0.001° are 111.319 m.
  private func fix(_ longitude: Double, after seconds: Double) -> TrackEntry {
    .fix(SampleTrack.fix(0, longitude, after: seconds))
  }

  private func fixes(_ entries: [TrackEntry]) -> [PositionFix] {
    entries.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
  }

  /// East on the equator at 11.1319 m/s: the border at 100 m is reached 100 / 11.1319 s from the center.
  @Test func aTripEndsAndBeginsOnTheBorder() throws {
    let entries = try clip(
      [.interruption(.started)] + (-3...3).map { fix(10 + 0.001 * Double($0), after: 30 + 10 * Double($0)) })
    let all = fixes(entries)
    try #require(all.count == 8)
    #expect(entries.first == .interruption(.started))
    let (out, back) = (all[3], all[4])
    #expect((Geodesic.inverse(from: out.coordinate, to: center).distance.value - 100).magnitude < 0.01)
    #expect((Geodesic.inverse(from: back.coordinate, to: center).distance.value - 100).magnitude < 0.01)
    let seconds = 100 / 11.1319491
    #expect(((out.time - SampleTrack.start).inSeconds - (30 - seconds)).magnitude < 0.001)
    #expect(((back.time - SampleTrack.start).inSeconds - (30 + seconds)).magnitude < 0.001)
    // Nothing measured at a hidden fix is shown.
    #expect(out.speedMetersPerSecond == nil && out.course == nil && out.satellitesUsed == nil)
    let index = try #require(entries.firstIndex(of: .fix(back)))
    #expect(entries[index - 1] == .interruption(.gap) && entries[index - 2] == .fix(out))
  }

  @Test func aLineBetweenTwoVisibleFixesIsCutToo() throws {
    let all = try clip([fix(9.99, after: 0), fix(10.01, after: 200)])
    #expect(fixes(all).count == 4)
    #expect(all.filter { if case .interruption = $0 { true } else { false } }.count == 1)
  }

  @Test func aTrackInsideIsEmpty() throws {
    #expect(
      try clip([.interruption(.started), fix(10, after: 0), fix(10.0001, after: 1), .interruption(.paused)]).isEmpty)
  }

  @Test func aTrackOutsideIsUnchanged() throws {
    let entries = [
      .interruption(.started), fix(20, after: 0), fix(20.001, after: 9), .interruption(.gap), fix(21, after: 99),
    ]
    #expect(try clip(entries) == entries)
    var none = TrackClip(PrivacyZones([]))
    #expect(entries.flatMap { none.add($0) } == entries)
  }

  /// There is no line across an interruption, so that nothing is interpolated.
  @Test func anInterruptionHasNoBorder() throws {
    let entries = try clip([
      fix(9.99, after: 0), .interruption(.gap), fix(10, after: 50), .interruption(.gap), fix(10.01, after: 99),
    ])
    #expect(entries == [fix(9.99, after: 0), .interruption(.gap), fix(10.01, after: 99)])
  }

  @Test func notesInsideAreHidden() throws {
    let clip = TrackClip(PrivacyZones([.circle(try CircleShape(center: center, radius: Meters(100)))]))
    let note = try #require(
      TrackNote("home", time: SampleTrack.start, coordinate: center, horizontalRadius68: Meters(5)))
    let other = try #require(
      TrackNote(
        "work", time: SampleTrack.start,
        coordinate: Coordinate(latitude: Angle(degrees: 1), longitude: Angle(degrees: 10)),
        horizontalRadius68: Meters(5)))
    #expect(!clip.shows(note) && clip.shows(other))
  }
}
