import Geodesy
import Regions
import TestSupport
import Testing
import TrackFormats

@Suite struct RegionImportTests {
  @Test(arguments: [
    ("", RegionImportError.unknownFormat), (" \n", .unknownFormat), ("name,lat,lon\na,1,2", .unknownFormat),
    (String(repeating: " ", count: 5000) + "{", .unknownFormat), ("\u{1F}\u{0}abc", .unknownFormat),
    ("PK\u{3}\u{4}doc.kml", .packed(.zip)),
    // JSON.
    ("{\n \"type\":\n}", .notJSON(.value, TextPosition(line: 3, byte: 11))),
    ("{\"a\" 1}", .notJSON(.colon, TextPosition(line: 1, byte: 5))),
    ("{a:1}", .notJSON(.key, TextPosition(line: 1, byte: 1))),
    ("{\"a\":1,}", .notJSON(.key, TextPosition(line: 1, byte: 7))),
    ("{\"a\":[1 2]}", .notJSON(.commaOrEnd, TextPosition(line: 1, byte: 8))),
    ("{\"a\":[1}", .notJSON(.commaOrEnd, TextPosition(line: 1, byte: 7))),
    ("{\"a\":NaN}", .notJSON(.value, TextPosition(line: 1, byte: 5))),
    ("{\"a\":truest}", .notJSON(.value, TextPosition(line: 1, byte: 5))),
    ("{\"a\":01}", .notJSON(.number, TextPosition(line: 1, byte: 5))),
    ("{\"a\":1.}", .notJSON(.number, TextPosition(line: 1, byte: 5))),
    ("{\"a\":-}", .notJSON(.number, TextPosition(line: 1, byte: 5))),
    ("{\"a\":1e}", .notJSON(.number, TextPosition(line: 1, byte: 5))),
    ("{\"a\":+1}", .notJSON(.value, TextPosition(line: 1, byte: 5))),
    ("{\"a\":\"\u{0}\"}", .notJSON(.textCharacter, TextPosition(line: 1, byte: 6))),
    ("{\"a\":\"\\x\"}", .notJSON(.escape, TextPosition(line: 1, byte: 7))),
    ("{\"a\":\"\\u00g0\"}", .notJSON(.escape, TextPosition(line: 1, byte: 10))),
    (
      "{\"a\":\(String(repeating: "1", count: 300))}",
      .notJSON(.shorterNumber(most: 256), TextPosition(line: 1, byte: 261))
    ),
    ("{\"a\":" + String(repeating: "[", count: 70), .tooDeep(most: 64, TextPosition(line: 1, byte: 68))),
    ("{\"a\":{", .cutOff(TextPosition(line: 1, byte: 6))),
    // JSON with other content.
    ("[{\"type\":\"Feature\"}]", .notJSON(.object, TextPosition(line: 1, byte: 1))),
    ("{}", .notGeoJSON(type: nil, TextPosition(line: 1, byte: 2))),
    ("{\"type\":\"Topology\"}", .notGeoJSON(type: "Topology", TextPosition(line: 1, byte: 18))),
    ("{\"type\":\"FeatureCollection\"}", .notGeoJSON(type: "FeatureCollection", TextPosition(line: 1, byte: 28))),
    ("{\"features\":[{\"attributes\":{}}]}", .notGeoJSON(type: nil, TextPosition(line: 1, byte: 32))),
    ("{\"type\":\"Point\",\"coordinates\":[1,2]} x", .notJSON(.object, TextPosition(line: 1, byte: 37))),
    (
      "{\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::25832\"}}}",
      .otherCoordinateSystem("urn:ogc:def:crs:EPSG::25832", TextPosition(line: 1, byte: 72))
    ),
    // XML.
    ("<gpx/>", .notKML(root: "gpx", TextPosition(line: 1, byte: 6))),
    ("<?xml version='1.0'?>\n<!DOCTYPE kml>", .documentType(TextPosition(line: 2, byte: 22))),
    ("<?xml version='1.0' encoding='UTF-16'?><kml/>", .otherEncoding("UTF-16", TextPosition(line: 1, byte: 45))),
    ("<kml>\n</Document>", .notXML(TextPosition(line: 2, byte: 6))),
    ("<kml/>\n<kml/>", .notXML(TextPosition(line: 2, byte: 13))),
    ("<kml/>\n x", .notXML(TextPosition(line: 2, byte: 8))),
    ("<kml>a & b</kml>", .notXML(TextPosition(line: 1, byte: 7))),
    ("<kml>&nbsp;</kml>", .notXML(TextPosition(line: 1, byte: 5))), ("<kml>", .cutOff(TextPosition(line: 1, byte: 5))),
    ("<!-- -->", .cutOff(TextPosition(line: 1, byte: 8))),
    ("<kml><![CDATA[ ]]", .cutOff(TextPosition(line: 1, byte: 17))),
    ("<kml>" + String(repeating: "<a>", count: 70), .tooDeep(most: 64, TextPosition(line: 1, byte: 194))),
  ]) func invalidSuchFileIsRefused(text: String, error: RegionImportError) {
    #expect(throws: error) { try ImportedRegions(text) }
    #expect(throws: error) { try ImportedRegions(Array(text.utf8), pieces: 1) }
  }

  @Test(arguments: RegionTexts.all) func piecesMakeNoDifference(text: String) throws {
    let bytes = Array(text.utf8)
    let whole = try ImportedRegions(bytes)
    #expect(!whole.regions.isEmpty)
    for size in [1, 2, 3, 7, 64] { #expect(try ImportedRegions(bytes, pieces: size) == whole) }
    for cut in 0...bytes.count { #expect(try ImportedRegions(bytes, cutAt: cut) == whole) }
  }

  @Test(arguments: RegionTexts.all) func truncationsAreRefused(text: String) {
    let bytes = Array(text.utf8)
    for end in stride(from: 0, to: bytes.count, by: 5) {
      #expect(throws: RegionImportError.self) { try ImportedRegions(Array(bytes[..<end])) }
    }
  }

  /// A changed byte: the result is the same however the file is cut, and never an invalid region.
  @Test(arguments: RegionTexts.all) func damageIsTheSameInPieces(text: String) {
    var bytes = Array(text.utf8)
    for (position, byte) in bytes.enumerated() {
      for other in [UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: "["), UInt8(ascii: "9"), 0xFF]
      where position % 13 == Int(other) % 13 {
        bytes[position] = other
        #expect(outcome(bytes, pieces: .max) == outcome(bytes, pieces: 5))
        bytes[position] = byte
      }
    }
  }

  /// Regions that are written in either format are read back unchanged, whatever their names are.
  @Test func writtenDataIsReadBack() throws {
    var random = SplitMix64(seed: 20_261_122)
    for _ in 0..<200 {
      let regions = try (0..<Int.random(in: 1...6, using: &random)).map { number in
        try RandomRegion.make(number, using: &random)
      }
      for text in [RandomRegion.geoJSON(regions), RandomRegion.kml(regions)] {
        let file = try ImportedRegions(Array(text.utf8), pieces: Int.random(in: 1...200, using: &random))
        #expect(file.regions == regions)
        #expect(file.remarks.leftOut == 0)
        #expect(file.remarks.features == regions.count)
      }
    }
  }

  /// Texts of several megabytes are read, but only kept up to the limit.
  @Test func hugeTextsAreCut() throws {
    let long = String(repeating: "äöü", count: 200_000)
    for text in [
      #"{"type":"Feature","properties":{"name":"\#(long)"},"geometry":{"type":"Point","coordinates":[2,1]}}"#,
      "<kml><Placemark><name>\(long)</name><Point><coordinates>2,1</coordinates></Point></Placemark></kml>",
    ] {
      let file = try ImportedRegions(Array(text.utf8), pieces: 65_536, defaultRadius: Meters(1))
      #expect(file.remarks.refused == 1)
      guard case .refused(.identifierLength(let length, most: 1024)) = file.remarks.firstLeftOut?.reason else {
        Issue.record("\(String(describing: file.remarks.firstLeftOut?.reason))")
        continue
      }
      #expect((4000..<8200).contains(length))
    }
  }

  private enum Outcome: Hashable {
    case read(ImportedRegions)
    case refused(RegionImportError)
  }

  private func outcome(_ bytes: [UInt8], pieces: Int) -> Outcome {
    do throws(RegionImportError) {
      return .read(try ImportedRegions(bytes, pieces: pieces))
    } catch {
      return .refused(error)
    }
  }
}
