import Foundation
import Geodesy
import PlacesData
import Testing

import locationctl

/// Places in the output of other commands, and time zones that are certain.
@Suite struct PlaceOptionTests {
  private static let world = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("PlacesTests/Cut").path

  @Test func aZoneIsSureFarFromItsBorder() throws {
    let world = try #require(try WorldPlaces.open([Self.world]))
    let vaduz = try #require(Coordinate(checkingLatitude: 47.1393, longitude: 9.5228))
    let zone = try #require(world.timeZone(at: vaduz))
    #expect(zone == "Europe/Vaduz")
    // The Rhine, which is the border, is about 1.5 km away.
    #expect(ZoneCertainty.isSure(zone, at: vaduz, radius: Meters(30), world))
    #expect(!ZoneCertainty.isSure(zone, at: vaduz, radius: Meters(1000), world))
  }

  @Test(arguments: [
    ["fix", "--place", "--format", "gpx"], ["watch", "--place", "--template", "%{latitude}"],
    ["log", "export", "--place"], ["log", "export", "--place", "--format", "csv", "--daily", "%Y-%m-%d.csv"],
  ])
  func formatsWithoutRoomAreRejected(arguments: [String]) throws {
    let result = try ProgramRun(arguments, environment: ["LOCATIOND_WORLD": Self.world])
    #expect(result.status == 64 && result.errors.contains("--place"), "\(result)")
  }
}
