import Foundation
import Testing

/// Plain logs like those of users, played by the real command.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: ProgramRun.locationctl), "needs locationctl built beside the tests"
  ))
struct ReplayCommandTests {
  private func replay(_ bytes: [UInt8], _ options: String...) throws -> ProgramRun {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString)")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try ProgramRun(["replay", file.path] + options)
  }

  private func sentence(_ content: String) -> [UInt8] {
    Array("$\(content)*\(String(format: "%02X", content.utf8.reduce(0) { $0 ^ $1 }))\r\n".utf8)
  }

  private func gga(_ second: Int) -> [UInt8] {
    sentence(String(format: "GPGGA,1000%02d,4717.1140,N,00833.9159,E,1,08,0.9,499.6,M,48.0,M,,", second))
  }

  private func rmc(_ second: Int) -> [UInt8] {
    sentence(String(format: "GPRMC,1000%02d,A,4717.1140,N,00833.9159,E,0.1,77.5,010307,,,A", second))
  }

  private func timestamps(_ run: ProgramRun) -> [String] {
    run.output.matches(of: /"timestamp":"([^"]*)"/).map { String($0.output.1) }
  }

  @Test func theFirstFixHasTheDateThatFollows() throws {
    let log = gga(1) + (2...6).flatMap { rmc($0) + gga($0) }
    let run = try replay(log, "--raw")
    #expect(run.status == 0 && run.errors == "")
    #expect(timestamps(run) == (1...6).map { "2007-03-01T10:00:0\($0).000Z" })
    #expect(!run.output.contains("dateAssumed"))
  }

  /// Logs that are shorter or longer than the number of epochs that the receiver session holds back.
  @Test(arguments: [1, 3, 25]) func aLogWithoutADateIsMarked(seconds: Int) throws {
    let run = try replay((1...seconds).flatMap { gga($0) }, "--raw")
    #expect(run.status == 0 && run.errors == "")
    #expect(timestamps(run).count == seconds)
    #expect(run.output.matches(of: /"timeConfirmed":false/).count == seconds)
    #expect(run.output.matches(of: /"dateAssumed":true/).count == seconds)
  }

  /// As sent by Navico GoFree.
  @Test func twoDigitsOfAYearLoseNothing() throws {
    let log = (1...20).flatMap { second in
      rmc(second) + sentence(String(format: "GPZDA,1000%02d,01,03,07,-02,00", second)) + gga(second)
    }
    let run = try replay(log, "--raw")
    #expect(run.status == 0 && run.errors == "")
    #expect(timestamps(run).count == 20 && timestamps(run).allSatisfy { $0.hasPrefix("2007-03-01T") })
  }

  /// CASIC frames, alone or after the greeting of a receiver that can also send NMEA.
  @Test(arguments: [false, true]) func anotherProtocolIsNamed(greets: Bool) throws {
    let frame: [UInt8] = [0xBA, 0xCE, 4, 0, 1, 3, 1, 2, 3, 4, 5, 2, 4, 7]
    let greeting = greets ? sentence("GPTXT,01,01,02,IC=AT6558-5N-31") : []
    let run = try replay(greeting + (0..<40).flatMap { _ in frame })
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.output == "")
    #expect(run.errors.contains("CASIC binary"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
  }
}
