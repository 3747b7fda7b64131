import Foundation
import Geodesy
import Testing
import TrackFormats

/// What a program that is not part of this package reads from this package's files.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/exiftool"), "needs libimage-exiftool-perl"))
struct ExifToolTests {
  @Test(arguments: [true, false]) func valuesAreThose(isLittleEndian: Bool) throws {
    let sample = SampleJPEG(
      isLittleEndian: isLittleEndian, fraction: "789", offset: "+01:00", hasMakerNote: true, gps: .compass)
    let tags = try read(try Photograph(sample.bytes).tagged(with: PhotographTests.position))
    #expect(tags["Error"] == nil)
    #expect(tags["Warning"] == nil)
    #expect((try number(tags, "GPSLatitude") + 33.856784321).magnitude < 1e-9)
    #expect((try number(tags, "GPSLongitude") - 151.215296789).magnitude < 1e-9)
    #expect(tags["GPSLatitudeRef"] as? String == "S")
    #expect(tags["GPSLongitudeRef"] as? String == "E")
    #expect(try number(tags, "GPSAltitude") == -12.345)
    #expect(try number(tags, "GPSHPositioningError") == 2.5)
    #expect(tags["GPSTimeStamp"] as? String == "12:34:56.789")
    #expect(tags["GPSDateStamp"] as? String == "2026:03:01")
    #expect(tags["GPSMapDatum"] as? String == "WGS-84")
    // The camera's values stay.
    #expect(try number(tags, "GPSImgDirection") == 123.4)
    #expect(tags["Make"] as? String == "Maker of cameras")
    #expect(tags["DateTimeOriginal"] as? String == "2026:03:01 13:34:56")
    #expect(tags["OffsetTimeOriginal"] as? String == "+01:00")
  }

  @Test func aPositionIsReplacedWhole() throws {
    let position = PhotographPosition(
      time: PhotographTests.position.time,
      coordinate: Coordinate(latitude: Angle(degrees: 90), longitude: Angle(degrees: -180)))
    let tags = try read(try Photograph(SampleJPEG(gps: .position).bytes).tagged(with: position))
    #expect(try number(tags, "GPSLatitude") == 90)
    #expect(try number(tags, "GPSLongitude") == -180)
    #expect(tags["GPSAltitude"] == nil)
    #expect(tags["Warning"] == nil)
  }

  /// EXIF that exiftool wrote, with a second directory and a picture in it: all of it is unchanged afterwards.
  @Test(arguments: [true, false]) func whatAnotherWroteStays(isLittleEndian: Bool) throws {
    let thumbnail = SampleJPEG(time: nil).bytes
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (small, large) = (folder.appendingPathComponent("small.jpg"), folder.appendingPathComponent("large.jpg"))
    try Data(thumbnail).write(to: small)
    try Data(SampleJPEG(isLittleEndian: isLittleEndian).bytes).write(to: large)
    _ = try run([
      "-q", "-overwrite_original", "-ThumbnailImage<=\(small.path)", "-Artist=Zoë", "-UserComment=hello",
      "-XMP:Rating=3",
      large.path,
    ])
    let before = [UInt8](try Data(contentsOf: large))
    let after = try Photograph(before).tagged(with: PhotographTests.position)
    try Data(after).write(to: large)
    #expect([UInt8](try run(["-b", "-ThumbnailImage", large.path])) == thumbnail)
    let (old, new) = (try read(before), try read(after))
    for (name, value) in old where !["SourceFile", "FileName", "FileSize"].contains(name) && !name.hasPrefix("File") {
      #expect("\(new[name] ?? "none")" == "\(value)", "\(name)")
    }
    #expect(new["Artist"] as? String == "Zoë")
    // None of the problems that -validate reports comes from this package.
    let validation = String(decoding: try run(["-validate", "-warning", "-a", large.path]), as: UTF8.self)
    #expect(!validation.contains("directory"), "\(validation)")
    #expect(!validation.contains("GPS"), "\(validation)")
    #expect(new["GPSLatitude"] != nil)
  }

  private func number(_ tags: [String: Any], _ name: String) throws -> Double { try #require(tags[name] as? Double) }

  private func read(_ bytes: [UInt8]) throws -> [String: Any] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jpg")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let data = try run(["-j", "-c", "%.12f", "-n", "-warning", "-error", "-all", file.path])
    return try #require((try JSONSerialization.jsonObject(with: data) as? [[String: Any]])?.first)
  }

  private func run(_ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/exiftool")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data
  }
}
