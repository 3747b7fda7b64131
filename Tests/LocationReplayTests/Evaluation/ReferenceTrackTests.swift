import Geodesy
import LocationReplay
import Testing

@Suite struct ReferenceTrackTests {
  private func time(_ seconds: Double) -> GNSSTime { GNSSTime(nanosecondsSince1970: Int64(seconds * 1e9)) }

  private func point(_ seconds: Double, _ latitude: Double, _ longitude: Double) throws -> ReferencePoint {
    ReferencePoint(
      time: time(seconds), coordinate: try #require(Coordinate(checkingLatitude: latitude, longitude: longitude)))
  }

  @Test func isOnTheLineBetweenTwoPoints() throws {
    // Along the equator, which is the geodesic.
    let track = ReferenceTrack([try point(10, 0, 20), try point(11, 0, 20.0004)])
    let place = try #require(track.coordinate(at: time(10.25)))
    #expect(abs(place.latitude.degrees) < 1e-12)
    #expect(abs(place.longitude.degrees - 20.0001) < 1e-12)
    #expect(track.coordinate(at: time(10)) == track.points[0].coordinate)
    #expect(track.coordinate(at: time(11)) == track.points[1].coordinate)
  }

  @Test func saysNothingBeforeAfterAndInAGap() throws {
    let track = ReferenceTrack([try point(10, 0, 20), try point(11.5, 0, 20.0004), try point(13.001, 0, 20.0008)])
    #expect(track.coordinate(at: time(9.999)) == nil)
    #expect(track.coordinate(at: time(11.4)) != nil)
    #expect(track.coordinate(at: time(12)) == nil)
    #expect(track.coordinate(at: time(13.001)) != nil)
    #expect(track.coordinate(at: time(13.002)) == nil)
    #expect(ReferenceTrack([]).coordinate(at: time(10)) == nil)
  }

  @Test func crossesTheDateLineTheShortWay() throws {
    let track = ReferenceTrack([try point(0, 0, 179.9999), try point(1, 0, -179.9999)])
    let place = try #require(track.coordinate(at: time(0.75)))
    #expect(abs(place.longitude.degrees - -179.99995) < 1e-11)
  }

  @Test func crossesThePole() throws {
    let track = ReferenceTrack([try point(0, 89.9999, 30), try point(1, 89.9999, -150)])
    let place = try #require(track.coordinate(at: time(0.5)))
    #expect(abs(place.latitude.degrees - 90) < 1e-9)
  }

  @Test func takesPointsInAnyOrderAndTheFirstOfATime() throws {
    let track = ReferenceTrack([try point(2, 0, 2), try point(1, 0, 1), try point(2, 0, 3)])
    #expect(track.points.map(\.coordinate.longitude.degrees) == [1, 2])
  }

  @Test func measuresErrorAndDelay() throws {
    let track = ReferenceTrack([try point(10, 0, 20), try point(11, 0, 20)])
    // A minute of latitude at the equator is 1,842.905 m of meridian (a (1 − e²) · π / 10,800).
    let answer = CandidatePosition(
      time: time(10.5), answeredAt: time(13.5), coordinate: try point(0, 1.0 / 60, 20).coordinate,
      radius68: Meters(2000))
    let judged = try #require(track.judge(answer))
    #expect(abs(judged.errorMeters - 1842.905) < 0.001)
    #expect(judged.radius68Meters == 2000)
    #expect(judged.latency == .seconds(3))
    let unknown = CandidatePosition(
      time: time(12), answeredAt: time(12), coordinate: answer.coordinate, radius68: nil)
    #expect(track.judge(unknown) == nil)
  }
}
