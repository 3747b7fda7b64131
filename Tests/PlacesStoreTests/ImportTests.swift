import Foundation
import Geodesy
import MapDrawing
import MapServing
import MapTiles
import PlacesCore
import PlacesStore
import PlacesSurvey
import TestSupport
import Testing

/// Imports of real extracts, and searches in them.
@Suite(.serialized, .enabled(if: Extracts.areThere, "LOCATION_DATA names no extracts"))
struct ImportTests {
  @Test func everyExtractIsImportedWithItsOrigin() throws {
    let dates = [
      "liechtenstein-2024": "2024-03-04", "andorra-2025": "2025-01-19", "monaco": "2021-04-21", "porto": "2015-06-06",
    ]
    for name in Extracts.names {
      let file = try Extracts.file(name)
      if let date = dates[name] { #expect(file.provenance.dataDate == date, "\(name)") }
      #expect(file.provenance.license == "ODbL-1.0")
      #expect(file.provenance.attribution == "© OpenStreetMap contributors")
      #expect(file.header[.sourceHash].utf8.count == 64)
    }
    let liechtenstein = try Extracts.file("liechtenstein-2024")
    #expect(liechtenstein.header[.sourceHash].hasPrefix("33a1d9078477f320"))
    #expect(liechtenstein.header[.country] == "LI")
    let size = try FileManager.default.attributesOfItem(atPath: liechtenstein.path)[.size] as? Int
    // Addresses and tiles: 4 MB and 3 MB.
    #expect(try #require(size) <= 7 << 20)
  }

  /// The layer `map`: tiles of all zooms with what is drawn at each.
  @Test func anImportHasTiles() throws {
    let file = try #require(TileFiles.open(places: try Extracts.file("liechtenstein-2024").path))
    let description = file.description
    #expect(description.schema == .places && description.content == .vector)
    #expect(description.leastZoom == 6 && description.mostZoom == 14)
    #expect(description.attribution == "© OpenStreetMap contributors")
    func found(_ zoom: Int, _ column: Int, _ row: Int) throws -> [VectorTile.Feature] {
      let address = try #require(TileAddress(zoom: zoom, column: column, row: row))
      let tile = try #require(file.tile(address))
      let bytes = try #require(Gzip.content(of: tile.bytes, most: VectorTile.largest))
      var features: [VectorTile.Feature] = []
      VectorTile(zoom: zoom, column: column, row: row, bytes: bytes).forEach({ _ in true }) { features.append($0) }
      for point in features.flatMap(\.parts).joined() {
        #expect((-0.016...1.016).contains(point.x) && (-0.016...1.016).contains(point.y))
      }
      return features
    }
    // The middle of Vaduz at 47.139° N, 9.521° E.
    let town = try found(14, 8625, 5753)
    #expect(Set(town.map(\.layer)).isSuperset(of: ["land", "building", "road"]))
    #expect(town.contains { $0.layer == "road" && $0.name == "Städtle" })
    // A feature for each street, and one for all buildings.
    #expect(town.count { $0.layer == "building" } == 1)
    let country = try found(10, 539, 359)
    #expect(country.contains { $0.layer == "place" && $0.name == "Vaduz" })
    #expect(country.contains { $0.layer == "border" && $0.kind == "country" })
    #expect(!country.contains { $0.layer == "building" || $0.kind == "service" })
  }

  /// The blocks of Liechtenstein that a survey calls its second half. The parameters were chosen on this and other extracts, so that this
  /// test only keeps what was reached.
  @Test(arguments: [(0.0, 0.95), (3, 0.75), (8, 0.35), (15, 0.10)])
  func houseNumbersAreReportedIfProbable(noise: Double, leastReported: Double) throws {
    let file = try Extracts.file("liechtenstein-2024")
    let survey = try PlacesSurvey(path: file.path)
    let numbers = try survey.numbers(in: file, noise: noise, count: 3000, seed: 11) { $0 / 32 % 2 == 1 }
    #expect(numbers.reportedShare >= leastReported, "\(numbers)")
    #expect(numbers.rightShare >= 0.85, "\(numbers)")
  }

  @Test(arguments: ["liechtenstein-2024", "helsinki", "monaco"]) func addressesAreFound(name: String) throws {
    let file = try Extracts.file(name)
    let survey = try PlacesSurvey(path: file.path)
    let exact = try survey.searches(in: file, count: 1000, hasError: false, seed: 1)
    #expect(Double(exact.first) >= 0.95 * Double(exact.asked), "\(exact.misses.prefix(10))")
    let misspelled = try survey.searches(in: file, count: 1000, hasError: true, seed: 2)
    #expect(Double(misspelled.first) >= 0.95 * Double(misspelled.asked), "\(misspelled.misses.prefix(10))")
  }

  @Test func anAddressHasItsTownAndRegions() throws {
    let file = try Extracts.file("liechtenstein-2024")
    let found = try #require(try file.places(matching: ForwardQuery(.text("Staedtle 44, 9490 Vaduz"))).first)
    #expect(found.thoroughfare == "Städtle" && found.subThoroughfare == "44" && found.locality == "Vaduz")
    #expect(
      found.kind == .address && found.match == .complete && found.postalCode == "9490" && found.isoCountryCode == "LI")
    let back = try #require(try file.place(at: ReverseQuery(found.coordinate)))
    #expect(back.thoroughfare == "Städtle" && back.subThoroughfare == "44" && back.locality == "Vaduz")
    // The same position with the accuracy of a phone in a town, and of a cell.
    #expect(try file.place(at: ReverseQuery(found.coordinate, accuracy: Meters(200)))?.subThoroughfare == nil)
    #expect(try file.place(at: ReverseQuery(found.coordinate, accuracy: Meters(1000)))?.locality == "Vaduz")
  }

  @Test func anUnknownNumberIsNeverAnother() throws {
    let file = try Extracts.file("liechtenstein-2024")
    let found = try #require(try file.places(matching: ForwardQuery(.text("Städtle 4949, Vaduz"))).first)
    #expect(found.subThoroughfare == nil && found.thoroughfare == "Städtle" && found.match == .partial)
  }

  @Test func aTownComesBeforeItsStreets() throws {
    let file = try Extracts.file("liechtenstein-2024")
    let found = try #require(try file.places(matching: ForwardQuery(.text("vaduz"))).first)
    #expect(found.kind == .town && found.locality == "Vaduz" && found.match == .complete)
  }

  @Test func aHintRanksAndNeverFilters() throws {
    let file = try Extracts.file("liechtenstein-2024")
    let towns = try file.places(matching: ForwardQuery(.text("Landstrasse")))
    let names = Set(towns.compactMap(\.locality))
    #expect(names.count > 3)
    for town in names {
      let center = try #require(try file.places(matching: ForwardQuery(.text(town))).first).coordinate
      let hinted = try file.places(
        matching: ForwardQuery(.text("Landstr."), near: .init(center: center, radius: Meters(3000))))
      #expect(hinted.count > 1)
      let plane = LocalPlane(around: LocalPoint(center))
      let first = try #require(hinted.first)
      let nearest = hinted.map { plane.distance(plane.origin, LocalPoint($0.coordinate)) }.min() ?? 0
      #expect(plane.distance(plane.origin, LocalPoint(first.coordinate)) <= max(nearest, 3000))
    }
  }

  @Test func namesInTwoLanguagesAreFound() throws {
    let file = try Extracts.file("helsinki")
    let finnish = try #require(try file.places(matching: ForwardQuery(.text("Mannerheimintie"))).first)
    let swedish = try #require(
      try file.places(matching: ForwardQuery(.text("Mannerheimvägen"), languages: ["sv"])).first)
    #expect(finnish.thoroughfare == "Mannerheimintie" && swedish.thoroughfare == "Mannerheimvägen")
    #expect(finnish.coordinate == swedish.coordinate)
  }
}
