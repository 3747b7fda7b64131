import Foundation
import Geodesy
import LocationIPC
import Testing
import TrackFormats
import locationctl

@Suite struct GPXFormatTests {
  @Test func oneFixIsAWaypoint() {
    #expect(
      text(GPXFormat.document(SampleFix.full)) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="locationctl" xmlns="http://www.topografix.com/GPX/1/1">
          <wpt lat="48.1173000" lon="11.516666667">
            <ele>545.40</ele>
            <time>2026-03-01T12:34:56.789Z</time>
            <geoidheight>48.00</geoidheight>
            <desc>within 2.50 m (68 %)</desc>
            <src>/dev/ttyACM0</src>
            <fix>3d</fix>
            <sat>9</sat>
          </wpt>
        </gpx>

        """)
  }

  @Test func theDilutionFollowsTheSatellites() {
    let document = text(GPXFormat.document(SampleFix.with { $0.hdop = 0.9 }))
    #expect(document.contains("    <sat>9</sat>\n    <hdop>0.90</hdop>\n  </wpt>"), "\(document)")
  }

  @Test func lossStartsANewSegment() {
    var writer = StreamWriter(.format(.gpx))
    let document = text(
      writer.opening + writer.line(SampleFix.bare) + writer.line(StreamEvent(.lost, at: nil))
        + writer.line(StreamEvent(.back, at: nil)) + writer.line(SampleFix.full) + writer.closing)
    #expect(document.components(separatedBy: "<trkseg>").count == 3)
    #expect(document.components(separatedBy: "<trkpt ").count == 3)
  }

  static let schema = ProcessInfo.processInfo.environment["LOCATION_DATA"].map { "\($0)/schemas/gpx/gpx11.xsd" }
  static let xmllint = "/usr/bin/xmllint"
  static let canValidate =
    FileManager.default.isExecutableFile(atPath: xmllint)
    && (schema.map { FileManager.default.fileExists(atPath: $0) } ?? false)

  @Test(.enabled(if: canValidate, "needs xmllint (libxml2-utils) and LOCATION_DATA"))
  func theSchemaHolds() throws {
    var cached = SampleFix.with { fix in
      fix.device = "<&\u{1B}\u{FFFF}]]>\"'"
      fix.qualityFlag = .implausible
      fix.isSimulated = true
    }
    cached.isCached = true
    let kinds: [FixKind] = [.estimated, .twoDimensional, .threeDimensional, .differential, .rtkFloat, .rtkFixed]
    let fixes =
      [SampleFix.full, SampleFix.bare, cached, SampleFix.with { $0.hdop = 1.27 }]
      + kinds.map { kind in SampleFix.with { $0.kind = kind } }
    for located in fixes { try validate(GPXFormat.document(located)) }
    var writer = StreamWriter(.format(.gpx))
    try validate(
      writer.opening + fixes.flatMap { writer.line($0) + writer.line(StreamEvent(.lost, at: nil)) } + writer.closing)
  }

  private func validate(_ document: [UInt8]) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gpx")
    try Data(document).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try ProgramRun(
      ["--noout", "--nonet", "--schema", try #require(Self.schema), file.path], of: Self.xmllint)
    #expect(result.status == 0, "\(result.errors)")
  }
}
