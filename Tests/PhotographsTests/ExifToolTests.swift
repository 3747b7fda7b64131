import Foundation
import Geodesy
import Photographs
import Testing

/// What a reader that is not ours finds in what we wrote.
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
    // What the camera said stays.
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

  private func number(_ tags: [String: Any], _ name: String) throws -> Double { try #require(tags[name] as? Double) }

  private func read(_ bytes: [UInt8]) throws -> [String: Any] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jpg")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/exiftool")
    // -validate tells what is out of order.
    process.arguments = ["-j", "-c", "%.12f", "-n", "-warning", "-error", "-all", file.path]
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try #require((try JSONSerialization.jsonObject(with: data) as? [[String: Any]])?.first)
  }
}
