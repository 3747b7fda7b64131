import Foundation
import Geodesy
import PlacesCore
import PlacesStore
import TestSupport
import Testing

/// Addresses as in dense cities: terraces whose houses have several numbers, and numbers with hyphens that are one. The extract is invented;
/// osmium-tool has written it.
@Suite struct TerracesTests {
  private let home = NSTemporaryDirectory() + "locationd-places-\(UUID().uuidString)"
  private let file: PlacesFile

  init() throws {
    let extract = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/terraces.osm.pbf").path
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let result = Import.run([extract], home: home)
    #expect(result.status == 0, "\(result)")
    file = try PlacesFile(path: home + "/locationd/places/terraces.places")
    // It stays open.
    try FileManager.default.removeItem(atPath: home)
  }

  private func find(_ text: String) throws -> Place? { try file.places(matching: ForwardQuery(.text(text))).first }

  @Test(arguments: [
    ("7 Brook Street", "7-9"), ("9 Brook Street, Terraceham", "7-9"), ("7-9 Brook Street", "7-9"),
    ("Brook Street 17", "13 - 19"), ("13-19 Brook Street", "13 - 19"), ("12A Brook Street", "12a"),
    ("20/22 Brook Street", "20/22"), ("80-12 37th Avenue", "80-12"),
  ])
  func aHouseIsFoundByEachOfItsNumbers(text: String, number: String) throws {
    let found = try #require(try find(text))
    #expect(found.subThoroughfare == number && found.match == .complete && found.kind == .address, "\(found)")
  }

  /// The other side of the street, beyond the last house, and the number of a cross street.
  @Test(arguments: ["8 Brook Street", "14 Brook Street", "99 Brook Street", "82 37th Avenue"])
  func anUnknownNumberIsNeverAnother(text: String) throws {
    let found = try #require(try find(text))
    #expect(found.subThoroughfare == nil && found.match == .partial && found.kind == .street, "\(found)")
  }

  @Test func theNumberOfAFlatIsNotThatOfTheHouse() throws {
    for text in ["Flat 2, 19 King Street, Terraceham", "King Street 19, Flat 2"] {
      #expect(try find(text)?.subThoroughfare == "19", "\(text)")
    }
  }

  @Test(arguments: ["5 St John's Road", "5 St Johns Road", "5 St. John\u{2019}s Rd, Terraceham", "5 Saint Johns Road"])
  func anApostropheMayBeMissing(text: String) throws {
    let found = try #require(try find(text))
    #expect(found.name == "5 St John's Road" || found.name == "St John's Road 5", "\(found)")
    #expect(found.match == .complete, "\(found)")
  }

  @Test func aPostalCodeIsFoundWithoutAnOutline() throws {
    for text in ["TH1 4AB", "TH1 4AB, Terraceham", "TH1 2AB"] {
      let found = try #require(try find(text))
      #expect(found.kind == .area && found.name == String(text.prefix(7)), "\(found)")
      #expect(found.locality == "Terraceham" && found.match == .complete, "\(found)")
    }
    #expect(try find("TH1 9ZZ") == nil)
  }

  /// In the middle of a terrace with houses of 6 m, no number is probable if the position is known to 15 m.
  @Test func theNumberOfATerraceNeedsAnAccuratePosition() throws {
    let middle = try #require(try find("4 King Street")).coordinate
    #expect(try file.place(at: ReverseQuery(middle, accuracy: Meters(1)))?.subThoroughfare == "4")
    let rough = try #require(try file.place(at: ReverseQuery(middle, accuracy: Meters(15))))
    #expect(rough.thoroughfare == "King Street" && rough.subThoroughfare == nil, "\(rough)")
  }
}
