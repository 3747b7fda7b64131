import Geodesy
import Testing
import TrackFormats

/// The formats of a single fix that scripts and other programs read.
@Suite struct FixFormatTests {
  private let fix = LocatedFix(SampleTrack.fix(48.1173, 11.516666667), age: .milliseconds(250))

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func geoURI() {
    #expect(text(GeoURI.line(fix)).wholeMatch(of: /geo:48\.1173000,11\.516666667,[0-9]+\.[0-9]+;u=2\.5\n/) != nil)
    let flat = LocatedFix(SampleTrack.fix(48.1173, 11.5) { $0.kind = .twoDimensional }, age: nil)
    #expect(text(GeoURI.line(flat)) == "geo:48.1173000,11.5000000;u=2.5\n")
    #expect(GeoURI.line(LocatedFix(SampleTrack.fix(.nan, 0), age: nil)).isEmpty)
  }

  @Test func shellAssignsEveryVariable() {
    let lines = text(ShellFormat.lines(fix)).split(separator: "\n")
    #expect(lines.contains("LOCATION_LATITUDE='48.1173000'"))
    #expect(lines.contains("LOCATION_ACCURACY='2.50'"))
    #expect(lines.contains("LOCATION_SATELLITES_USED='9'"))
    #expect(lines.contains("LOCATION_SUSPECT=''"))
    #expect(lines.count == FixKey.allCases.count - 2)
  }

  /// The shell must not evaluate a device's text.
  @Test func shellQuotesWhatADeviceSends() {
    var hostile = fix
    hostile.fix.receiver = "a'; rm -rf ~; echo '\u{1B}[2J$(id)"
    #expect(
      text(ShellFormat.lines(hostile)).contains("LOCATION_RECEIVER='a'\\''; rm -rf ~; echo '\\''\u{FFFD}[2J$(id)'\n"))
  }

  @Test func csvHasAHeaderAndARecord() throws {
    let header = text(CSVFormat.header).split(separator: ",")
    let record = text(CSVFormat.line(fix)).split(separator: ",", omittingEmptySubsequences: false)
    #expect(header.first == "timestamp" && header.count == record.count)
    let index = try #require(header.firstIndex(of: "latitude"))
    #expect(record[index] == "48.1173000")
    #expect(text(CSVFormat.line(fix)).hasSuffix("\r\n"))
  }

  @Test func kmlIsADocumentOfOnePlacemark() {
    let document = text(KMLFormat.document(fix))
    #expect(document.contains("<altitudeMode>absolute</altitudeMode>\n        <coordinates>11.516666667,48.1173000,"))
    #expect(document.hasPrefix("<?xml") && document.hasSuffix("</kml>\n"))
    let flat = LocatedFix(SampleTrack.fix(48.1173, 11.5) { $0.kind = .twoDimensional }, age: nil)
    #expect(text(KMLFormat.placemark(flat)).contains("clampToGround"))
  }
}
