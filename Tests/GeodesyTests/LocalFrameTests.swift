import Foundation
import Geodesy
import Testing

@Suite struct LocalFrameTests {
  @Test(arguments: [0.0, 30, -50, 70])
  func agreesWithTheGeodesicNearby(latitude: Double) throws {
    let origin = try #require(Coordinate(checkingLatitude: latitude, longitude: -179.9999))
    let frame = LocalFrame(origin: origin)
    for course in stride(from: 0.0, to: 360, by: 10) {
      let end = Geodesic.direct(from: origin, course: Angle(degrees: course), distance: Meters(100)).coordinate
      let offset = frame.offset(of: end)
      #expect(abs(offset.length.value - 100) < 3e-3)
      #expect(abs(offset.eastMeters - 100 * sin(course * .pi / 180)) < 5e-3)
      #expect(abs(offset.northMeters - 100 * cos(course * .pi / 180)) < 5e-3)
    }
  }

  @Test func errorAtAKilometreIsADecimetre() throws {
    let origin = try #require(Coordinate(checkingLatitude: 50, longitude: 8))
    for course in stride(from: 0.0, to: 360, by: 10) {
      let end = Geodesic.direct(from: origin, course: Angle(degrees: course), distance: Meters(1000)).coordinate
      #expect(abs(LocalFrame(origin: origin).offset(of: end).length.value - 1000) < 0.1)
    }
  }

  @Test func comesBack() throws {
    let origin = try #require(Coordinate(checkingLatitude: -33.9, longitude: 179.999))
    let frame = LocalFrame(origin: origin)
    let offset = LocalFrame.Offset(eastMeters: 1234.5, northMeters: -987.6)
    let place = frame.coordinate(at: offset)
    #expect(place.longitude.degrees < 0)
    #expect(abs(frame.offset(of: place).eastMeters - offset.eastMeters) < 1e-6)
    #expect(abs(frame.offset(of: place).northMeters - offset.northMeters) < 1e-6)
    #expect(frame.offset(of: origin).length.value == 0)
  }

  @Test func staysOnTheEarthAtThePole() throws {
    let pole = try #require(Coordinate(checkingLatitude: 90, longitude: 0))
    let place = LocalFrame(origin: pole).coordinate(at: LocalFrame.Offset(eastMeters: 50, northMeters: 50))
    #expect(place == pole)
  }
}
