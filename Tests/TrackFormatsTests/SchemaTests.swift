import Foundation
import Geodesy
import Testing
import TrackFormats

@Suite struct SchemaTests {
  static let schemas = ProcessInfo.processInfo.environment["LOCATION_DATA"].map { "\($0)/schemas" } ?? ""
  static let xmllint = "/usr/bin/xmllint"
  static let canValidate =
    ToolRun.isInstalled(xmllint) && FileManager.default.fileExists(atPath: schemas)

  @Test(
    .enabled(if: canValidate, "needs xmllint (libxml2-utils) and LOCATION_DATA"),
    arguments: [(TrackFormat.gpx, "gpx/gpx11.xsd"), (.kml, "kml/kml22gx.xsd")])
  func theSchemaHolds(format: TrackFormat, schema: String) throws {
    let tracks = [
      [], [.interruption(.started)], [.fix(SampleTrack.fix(48, 11))], SampleTrack.everything, SampleTrack.drive(5000),
    ]
    for track in tracks {
      let run = try ToolRun(
        Self.xmllint, ["--noout", "--nonet", "--schema", "\(Self.schemas)/\(schema)", "%"],
        on: SampleTrack.document(format, track))
      #expect(run.status == 0, "\(run.errors.prefix(500))")
    }
    // The schema check can fail.
    let bad = SampleTrack.text(format, SampleTrack.everything)
      .replacingOccurrences(of: "<ele>", with: "<ele>x").replacingOccurrences(of: "absolute", with: "above")
    let run = try ToolRun(
      Self.xmllint, ["--noout", "--nonet", "--schema", "\(Self.schemas)/\(schema)", "%"], on: Array(bad.utf8))
    #expect(run.status != 0)
  }

  /// A third-party XML parser finds a mark on each simulated fix, and none on the others.
  @Test(
    .enabled(if: ToolRun.isInstalled(xmllint), "needs xmllint (libxml2-utils)"),
    arguments: [
      (TrackFormat.gpx, "//*[local-name()='simulated']/text()"),
      (.kml, "//*[local-name()='SimpleArrayData'][@name='simulated']/*/text()"),
    ])
  func simulatedFixesAreMarked(format: TrackFormat, path: String) throws {
    func marks(_ simulated: [Bool]) throws -> String {
      let track = simulated.enumerated().map { index, isSimulated in
        TrackEntry.fix(SampleTrack.fix(48, 11, after: Double(index)) { $0.isSimulated = isSimulated })
      }
      let document = SampleTrack.document(format, track)
      let run = try ToolRun(Self.xmllint, ["--nonet", "--xpath", path, "%"], on: document)
      return run.output.filter { !$0.isWhitespace }
    }
    #expect(try marks([true, false, true]) == "truetrue")
    #expect(try marks([false, false]) == "")
  }
}
