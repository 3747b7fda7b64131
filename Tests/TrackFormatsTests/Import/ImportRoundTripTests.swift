import Foundation
import Geodesy
import Testing
import TrackFormats

/// Tracks that this package or gpsbabel has written, read again.
@Suite struct ImportRoundTripTests: ImportedFileReading {
  @Test(arguments: TrackFormat.allCases)
  func whatWasExportedIsReadAgain(format: TrackFormat) throws {
    let drive = SampleTrack.drive(5000) + [.interruption(.gap)] + SampleTrack.drive(10)
    let file = try read(SampleTrack.document(format, drive))
    let written = drive.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
    var found = fixes(file.items)
    if format == .geojson {
      // A long line is written in runs, each of which begins where the one before ended.
      found = found.enumerated().filter { $0.offset == 0 || $0.element.time != found[$0.offset - 1].time }.map(
        \.element)
    }
    try #require(found.count == written.count)
    let tolerance = format == .nmea ? 2e-8 : 1e-9
    for (one, other) in zip(written, found) {
      #expect((one.coordinate.latitude.degrees - other.coordinate.latitude.degrees).magnitude <= tolerance)
      #expect((one.coordinate.longitude.degrees - other.coordinate.longitude.degrees).magnitude <= tolerance)
      #expect(one.time == other.time)
      let (height, otherHeight) = (FixHeights(one), FixHeights(other))
      if format != .geojson {
        let pair = (try #require(height.aboveMeanSeaLevel), try #require(otherHeight.aboveMeanSeaLevel))
        #expect((pair.0 - pair.1).magnitude < 0.002)
      } else {
        #expect(other.heightAboveEllipsoid == one.heightAboveEllipsoid)
      }
      #expect(other.speedMetersPerSecond.map { ($0 - 11.525).magnitude < 0.001 } == true)
      #expect(other.course == one.course)
      guard format != .nmea else { continue }
      #expect(other.knownHorizontalRadius68 == one.horizontalRadius68)
      #expect(other.knownKind == one.kind)
      #expect(other.satellitesUsed == one.satellitesUsed)
    }
    // The second part is not connected to the first.
    #expect(file.items.contains(.interruption))
  }

  /// The dilution is in the formats that have a place for it, and nothing that is none becomes one.
  @Test(arguments: [TrackFormat.gpx, .kml, .geojson, .nmea]) func dilutionsAreReadAgain(format: TrackFormat) throws {
    let values: [Double?] = [0.5, nil, 1.27, 98.99, 0.01]
    let drive = values.enumerated().map { index, hdop in
      SampleTrack.fix(47 + Double(index) * 1e-3, 8, after: Double(index)) { $0.hdop = hdop }
    }
    let found = fixes(try read(SampleTrack.document(format, drive.map { .fix($0) })).items)
    #expect(found.map(\.hdop) == values)
    let invalid = [0, -1, 99.99, 1e9].enumerated().map { index, hdop in
      SampleTrack.fix(47 + Double(index) * 1e-3, 8, after: Double(index)) { $0.hdop = hdop }
    }
    #expect(fixes(try read(SampleTrack.document(format, invalid.map { .fix($0) })).items).allSatisfy { $0.hdop == nil })
  }

  /// An imported fix says so in every format that can, and does not state an accuracy that is not known.
  @Test func importedFixesAreMarkedInExports() throws {
    let imported = fixes(try read(ImportSample.iPhone).items)
    for format in [TrackFormat.gpx, .kml, .geojson, .csv] {
      let text = String(decoding: SampleTrack.document(format, imported.map { .fix($0) }), as: UTF8.self)
      #expect(text.contains("imported"), "\(format)")
      #expect(!text.contains("20037508"), "\(format)")
      let again = fixes(try read(text).items)
      #expect(again.map(\.coordinate) == imported.map(\.coordinate), "\(format)")
      #expect(again.allSatisfy { $0.knownHorizontalRadius68 == nil && $0.knownKind == nil }, "\(format)")
    }
    var object = JSONLineWriter()
    let line = String(decoding: object.line(LocatedFix(imported[0], age: nil)), as: UTF8.self)
    #expect(line.contains("\"imported\":true") && !line.contains("horizontalAccuracy") && !line.contains("\"fix\""))
  }

  @Test(
    .enabled(if: ToolRun.isInstalled("/usr/bin/gpsbabel"), "needs gpsbabel"),
    arguments: ["gpx", "kml", "nmea", "gpx,gpxver=1.0"])
  func whatGPSBabelHasWritten(format: String) throws {
    let drive = SampleTrack.drive(300)
    let run = try ToolRun(
      "/usr/bin/gpsbabel", ["-t", "-i", "gpx", "-f", "%", "-o", format, "-F", "-"],
      on: SampleTrack.document(.gpx, drive))
    try #require(run.status == 0, "\(run.errors)")
    let found = fixes(try read(run.output).items)
    let times = Set(found.map { $0.time.nanosecondsSince1970 / 1_000_000 })
    // KML has the points of the track also as placemarks.
    #expect(times.count == 300, "\(found.count)")
    for case .fix(let fix) in drive {
      let same = found.filter { ($0.time - fix.time).inSeconds.magnitude < 0.002 }
      #expect(!same.isEmpty)
      for other in same {
        // gpsbabel writes thousandths of a minute in NMEA.
        let tolerance = Meters(format == "nmea" ? 1.5 : 0.2)
        #expect(Geodesic.inverse(from: fix.coordinate, to: other.coordinate).distance < tolerance)
      }
    }
  }
}
