import Foundation
import Testing

/// A file that is no receiver's port causes one sentence that says so, the exit status of its cause, and no waiting.
@Suite struct BadPortTests {
  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ports-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func expect(_ path: String, status: Int32, saying words: String) throws {
    for command in ["fix", "watch"] {
      let run = try ProgramRun([command, "--source", "serial:\(path)"])
      #expect(run.status == status, "\(command): \(run.errors)")
      #expect(run.output == "")
      #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
      #expect(run.errors.contains(path) && run.errors.contains(words), "\(run.errors)")
    }
  }

  @Test func aDirectory() throws { try expect(Self.folder().path, status: 64, saying: "is a directory") }

  @Test func aDeviceThatIsNoPort() throws { try expect("/dev/null", status: 64, saying: "is not a serial port") }

  @Test func aFile() throws {
    let file = try Self.folder().appendingPathComponent("log.nmea")
    try Data("$GPRMC".utf8).write(to: file)
    try expect(file.path, status: 64, saying: "is a file")
  }

  /// Opening a FIFO for reading would wait forever for a writer.
  @Test func aFIFO() throws {
    let fifo = try Self.folder().appendingPathComponent("fifo").path
    try #require(unsafe mkfifo(fifo, 0o600) == 0)
    try expect(fifo, status: 64, saying: "is a pipe")
  }

  @Test func nothing() throws {
    try expect(Self.folder().appendingPathComponent("ttyUSB9").path, status: 69, saying: "There is no")
  }

  @Test func aLinkToNothing() throws {
    let link = try Self.folder().appendingPathComponent("gps")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "/dev/ttyUSB99")
    try expect(link.path, status: 69, saying: "There is no")
  }

  @Test func aBinaryIsNoRecording() throws {
    let file = try Self.folder().appendingPathComponent("junk")
    var generator = SystemRandomNumberGenerator()
    try Data((0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }).write(to: file)
    let run = try ProgramRun(["replay", file.path])
    #expect(run.status == 65)
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
  }
}
