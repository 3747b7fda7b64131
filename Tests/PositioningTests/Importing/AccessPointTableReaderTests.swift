import Geodesy
import Positioning
import TestSupport
import Testing
import WireFormats

@Suite struct AccessPointTableReaderTests {
  private func read(_ text: String, cuts: [Int] = []) throws -> (AccessPointTableReader, [AccessPointPosition]) {
    var reader = AccessPointTableReader()
    var places: [AccessPointPosition] = []
    let bytes = Array(text.utf8)
    var start = 0
    for cut in cuts.sorted() + [bytes.count] {
      try reader.push(bytes.span.extracting(start..<cut)) { places.append($0) }
      start = cut
    }
    try reader.finish { places.append($0) }
    return (reader, places)
  }

  @Test func columnsInAnyOrderAndAnyCase() throws {
    let (_, places) = try read("Lon,note,BSSID,Lat,Accuracy\r\n8.5,\"a, b\",00-01-E3-0A-F6-33,47.5,30\r\n")
    let place = try #require(places.first)
    #expect(place.bssid.description == "00:01:e3:0a:f6:33")
    #expect(place.coordinate == Coordinate(checkingLatitude: 47.5, longitude: 8.5))
    // √(30² + 40²): the radius includes the distance from the observation to the access point.
    #expect(place.radius68 == Meters(50))
  }

  @Test func withoutARadiusOneIsAssumed() throws {
    let text = "bssid,latitude,longitude,accuracy\n00:01:e3:0a:f6:33,47.5,8.5,\n00:01:e3:0a:f6:34,47.5,8.5,0\n"
    #expect(try read(text).1.map(\.radius68) == [Meters(40), Meters(40)])
  }

  @Test func framingDoesNotDependOnChunks() throws {
    let text =
      "\u{FEFF}bssid,latitude,longitude,ssid\n\n00:01:e3:0a:f6:33,47.5,8.5,x\n00:01:e3:0a:f6:34,1,2,y_NoMap\nbroken\n"
      + "00:01:e3:0a:f6:35,-90,180,\"z\""
    let (whole, places) = try read(text)
    #expect(places.count == 2 && whole.taken == 2 && whole.leftOut == 1 && whole.unreadable == 1)
    #expect(whole.firstUnreadable == 5)
    var random = SplitMix64(seed: 9)
    for _ in 0..<50 {
      let cuts = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        Int.random(in: 0...text.utf8.count, using: &random)
      }
      #expect(try read(text, cuts: cuts).1 == places)
    }
    #expect(try read(text, cuts: Array(0..<text.utf8.count)).1 == places)
  }

  @Test(arguments: [
    "91,0", "-91,0", "0,181", "nan,0", "inf,0", "0x1p3,0", "1e999,0", ",", "1", "1,2,3",
  ]) func impossiblePlacesAreLeftOut(_ place: String) throws {
    let text = "bssid,latitude,longitude\n00:01:e3:0a:f6:33,\(place)\n00:01:e3:0a:f6:34,1,2\n"
    let (reader, places) = try read(text)
    #expect(places.count == 1 && reader.unreadable == 1)
  }

  @Test func unassignedAddressesAreSkipped() throws {
    let text = "bssid,latitude,longitude\nff:ff:ff:ff:ff:ff,1,2\n00:00:00:00:00:00,1,2\n00:01:e3:0a:f6:33,0,0\n"
    let (reader, places) = try read(text)
    #expect(places.isEmpty && reader.leftOut == 3)
  }

  /// A network name has at most 32 bytes; a longer one is invalid, and its content is not examined.
  @Test func namesThatAreTooLongAreLeftOut() throws {
    let name = String(repeating: "x", count: 33)
    let (reader, _) = try read("bssid,latitude,longitude,ssid\n00:01:e3:0a:f6:33,1,2,\(name)\n")
    #expect(reader.leftOut == 1)
  }

  @Test func anEndlessLineIsOneUnreadableOne() throws {
    let line = String(repeating: "1", count: 100_000)
    let (reader, places) = try read("bssid,latitude,longitude\n\(line)\n00:01:e3:0a:f6:34,1,2\n")
    #expect(places.count == 1 && reader.unreadable == 1)
  }

  @Test func whatIsNoTable() {
    #expect(throws: AccessPointTableError.noHeader) { try read("") }
    #expect(throws: AccessPointTableError.missingColumn("bssid")) { try read("latitude,longitude\n") }
    #expect(throws: AccessPointTableError.missingColumn("longitude")) { try read("bssid,latitude\n") }
    #expect(throws: AccessPointTableError.nothingReadable(line: 2)) { try read("bssid,latitude,longitude\nx\n") }
    #expect(throws: Never.self) { try read("bssid,latitude,longitude\n") }
  }
}
