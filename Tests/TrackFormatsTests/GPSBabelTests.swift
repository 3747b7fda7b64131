import Foundation
import Geodesy
import Testing
import TrackFormats

/// What a program that is not part of this package reads from this package's files.
@Suite(.enabled(if: ToolRun.isInstalled("/usr/bin/gpsbabel"), "needs gpsbabel")) struct GPSBabelTests {
  struct Point {
    let latitude, longitude: Double
    let height: Double?
    let time: Date?
  }

  @Test(arguments: [TrackFormat.gpx, .kml, .geojson, .nmea, .csv])
  func readsBackWhatWasWritten(format: TrackFormat) throws {
    let drive = SampleTrack.drive(500)
    let points = try read(format, drive)
    try #require(points.count == drive.count)
    for (point, entry) in zip(points, drive) {
      guard case .fix(let fix) = entry else { continue }
      #expect((point.latitude - fix.coordinate.latitude.degrees).magnitude <= 1e-7)
      #expect((point.longitude - fix.coordinate.longitude.degrees).magnitude <= 1e-7)
      // gpsbabel reads a line of GeoJSON as a route, without heights and times.
      guard format != .geojson else { continue }
      #expect((try #require(point.height) - 545.4).magnitude < 0.01)
      let seconds = Double(fix.time.nanosecondsSince1970) / 1e9
      #expect((try #require(point.time).timeIntervalSince1970 - seconds).magnitude < 0.002)
    }
  }

  @Test(arguments: [TrackFormat.gpx, .kml])
  func interruptionsPartTheTrack(format: TrackFormat) throws {
    let track = SampleTrack.drive(10) + [.interruption(.gap)] + SampleTrack.drive(7)
    let run = try ToolRun(
      "/usr/bin/gpsbabel", ["-t", "-i", Self.name(format), "-f", "%", "-o", "gpx", "-F", "-"],
      on: SampleTrack.document(format, track))
    #expect(run.output.components(separatedBy: "<trkseg>").count == 3, "\(run.errors)")
    #expect(run.output.components(separatedBy: "<trkpt ").count == 18)
  }

  @Test func theNameOfTheTrack() throws {
    let run = try ToolRun(
      "/usr/bin/gpsbabel", ["-t", "-i", "gpx", "-f", "%", "-o", "gpx", "-F", "-"],
      on: SampleTrack.document(.gpx, SampleTrack.drive(3), name: "Lake & trip"))
    #expect(
      run.output.components(separatedBy: "<name>Lake &amp; trip</name>").count == 3, "\(run.output) \(run.errors)")
  }

  /// gpsbabel 1.8 does not read speed and course in Garmin's extension of GPX; it reads those of the other formats (B23).
  @Test(arguments: [TrackFormat.nmea, .csv]) func speedAndCourse(format: TrackFormat) throws {
    let run = try ToolRun(
      "/usr/bin/gpsbabel", ["-t", "-i", Self.name(format), "-f", "%", "-o", "unicsv", "-F", "-"],
      on: SampleTrack.document(format, SampleTrack.drive(50)))
    let rows = run.output.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let header = try #require(rows.first)
    let speed = try #require(header.firstIndex(of: "Speed"), "\(header) \(run.errors)")
    let course = try #require(header.firstIndex(of: "Course"))
    #expect(rows.count == 51)
    for row in rows.dropFirst() {
      #expect(((Double(row[speed]) ?? 0) - 11.525).magnitude < 0.06)
      #expect(((Double(row[course]) ?? 0) - 84.4).magnitude < 0.06)
    }
  }

  /// Heights above sea level for these formats, as reported by the receiver or computed with the geoid.
  @Test(arguments: [TrackFormat.gpx, .kml, .nmea, .csv])
  func heights(format: TrackFormat) throws {
    let undulation = try #require(Geoid.undulation(at: SampleTrack.fix(47, 8).coordinate)).value
    let track: [TrackEntry] = [
      .fix(SampleTrack.fix(47, 8)),
      .fix(SampleTrack.fix(47, 8, after: 1) { $0.heightAboveEllipsoid = nil }),
      .fix(SampleTrack.fix(47, 8, after: 2) { $0.heightAboveMeanSeaLevel = nil }),
    ]
    let found = try read(format, track).map { try #require($0.height) }
    let expected = [545.4, 545.4, 593.4 - undulation]
    try #require(found.count == 3)
    for (found, expected) in zip(found, expected) { #expect((found - expected).magnitude < 0.01) }
  }

  @Test func namesThatMeanHarmAreNames() throws {
    for format in [TrackFormat.gpx, .kml] {
      #expect(try read(format, SampleTrack.everything).count == 20)
    }
  }

  private static func name(_ format: TrackFormat) -> String { format == .csv ? "unicsv,utc=0" : format.rawValue }

  private func read(_ format: TrackFormat, _ track: [TrackEntry]) throws -> [Point] {
    let content = SampleTrack.document(format, track)
    let input = Self.name(format)
    var bytes = content
    if format == .csv {
      // unicsv has a different column name for a time.
      let text = String(decoding: content, as: UTF8.self)
      bytes = Array(text.replacingOccurrences(of: "timestamp,", with: "iso_time,").utf8)
    }
    let run = try ToolRun(
      "/usr/bin/gpsbabel", ["-t", "-w", "-i", input, "-f", "%", "-o", "gpx", "-F", "-"], on: bytes)
    try #require(run.status == 0, "\(run.errors)")
    let document = try XMLPoints(run.output)
    return document.points
  }
}

/// The points of a GPX document, read only with Foundation's text functions (its XML parser is a separate library).
private struct XMLPoints {
  var points: [GPSBabelTests.Point] = []

  init(_ text: String) throws {
    let formatter = ISO8601DateFormatter()
    let parts = ["<trkpt ", "<rtept ", "<wpt "].flatMap { text.components(separatedBy: $0).dropFirst() }
    for part in parts {
      func between(_ start: String, _ end: String) -> String? {
        guard let from = part.range(of: start), let to = part.range(of: end, range: from.upperBound..<part.endIndex)
        else { return nil }
        return String(part[from.upperBound..<to.lowerBound])
      }
      let time = between("<time>", "</time>")
      formatter.formatOptions =
        time?.contains(".") == true ? [.withInternetDateTime, .withFractionalSeconds] : [.withInternetDateTime]
      points.append(
        GPSBabelTests.Point(
          latitude: try #require(between("lat=\"", "\"").flatMap { Double($0) }),
          longitude: try #require(between("lon=\"", "\"").flatMap { Double($0) }),
          height: between("<ele>", "</ele>").flatMap { Double($0) }, time: time.flatMap { formatter.date(from: $0) }))
    }
  }
}
