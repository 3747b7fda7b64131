import Foundation
import LocationReplay
import Testing

/// `locationctl sky` as a person and as a script run it, with simulated receivers behind the real serial driver.
@Suite struct SkyCommandTests {
  private let environment = [
    "TERM": "xterm", "LANG": "C.UTF-8", "NO_COLOR": "1",
    "LOCATIOND_STATE": FileManager.default.temporaryDirectory.appendingPathComponent("sky-\(UUID().uuidString)").path,
  ]

  private func pipe(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun(["sky"] + arguments, environment: environment.merging(["LOCATIOND_GPSD": "off"]) { $1 })
  }

  private func terminal(
    _ arguments: String..., columns: Int = 80, rows: Int = 24, environment changes: [String: String] = [:]
  ) throws -> TerminalRun {
    try TerminalRun(
      ["sky"] + arguments, columns: columns, rows: rows, environment: environment.merging(changes) { $1 })
  }

  /// The end of each frame.
  private static let frameEnd = "\u{1B}[J"

  private func frames(_ output: String) -> Int { output.components(separatedBy: Self.frameEnd).count - 1 }

  private func objects(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  // MARK: - In a pipe

  @Test func aPipeGetsAnObjectAnEpoch() throws {
    let run = try pipe("--source", "simulator", "--count", "2")
    #expect(run.status == 0)
    #expect(run.errors == "")
    let objects = try objects(run.output)
    #expect(objects.count == 2)
    for object in objects {
      #expect(object["fix"] as? String == "3d")
      #expect(object["satellitesInView"] as? Int == 26)
      #expect(object["satellitesUsed"] as? Int == 22)
      #expect(object["hdop"] as? Double == 0.9)
      #expect(object["simulated"] as? Bool == true)
      let satellites = try #require(object["satellites"] as? [[String: Any]])
      let galileo = try #require(satellites.first { $0["name"] as? String == "E24" })
      #expect(galileo["constellation"] as? String == "galileo" && galileo["id"] as? Int == 24)
      #expect(galileo["elevation"] as? Int == 52 && galileo["azimuth"] as? Int == 320)
      #expect(galileo["used"] as? Bool == true)
    }
  }

  /// Every generation of receivers, over a line whose baud rate must be detected.
  @Test(arguments: Dialect.allCases) func everyDialectIsUnderstood(dialect: Dialect) throws {
    let port = try SimulatedPort(dialect)
    let run = try terminal("--source", "serial:\(port.path)", "--format", "json", "--count", "4")
    #expect(run.read(meanwhile: port.speak) { $0.count { $0.isNewline } >= 4 })
    #expect(run.end() == 0, "\(run.complaints)")
    let last = try #require(try objects(run.output.replacing("\r\n", with: "\n")).last)
    #expect(last["device"] as? String == port.path)
    #expect(last["fix"] as? String == "3d")
    let satellites = try #require(last["satellites"] as? [[String: Any]])
    #expect(satellites.count == last["satellitesInView"] as? Int)
    #expect(satellites.count { $0["used"] as? Bool == true } == last["satellitesUsed"] as? Int)
    #expect(satellites.contains { $0["name"] as? String == "G24" && $0["azimuth"] as? Int == 305 })
    #expect(satellites.allSatisfy { ($0["cn0"] as? Int ?? 0) > 20 })
    // u-blox receivers from generation 8 on report their serial number when they are polled.
    switch dialect {
    case .ublox8, .ublox9, .mixed: #expect(last["receiver"] as? String == "ublox-5C0FFEE001")
    case .nmea23, .nmea411, .ublox6, .ublox7: #expect(last["receiver"] == nil)
    }
  }

  /// People place an antenna before there is a fix.
  @Test func aReceiverWithoutAFixIsShown() throws {
    let port = try SimulatedPort(.nmea411) {
      $0.coldStart = ColdStart(
        timeOfDay: .zero, date: .zero, satellitesInView: .seconds(2), fix2D: .seconds(9999), fix3D: .seconds(9999))
    }
    let run = try terminal("--source", "serial:\(port.path)")
    #expect(run.read(meanwhile: port.speak) { $0.contains("0 of 26 satellites used") })
    #expect(run.output.contains("no fix  0 of 26 satellites used"))
    run.send(SIGINT)
    #expect(run.end() == 130)
  }

  @Test func aTableForWhoAsksForText() throws {
    let run = try pipe("--source", "simulator", "--count", "1", "--format", "text")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("3D fix  22 of 26 satellites used"))
    #expect(run.output.contains("\nG24   GPS             43      305"))
  }

  // MARK: - How it ends

  @Test func aReaderThatGoesEndsItQuietly() throws {
    let run = try ProgramRun(
      ["-c", "set -o pipefail; \"$LOCATIONCTL\" sky --source simulator | head --lines=1"], of: "/bin/bash",
      environment: ["LOCATIONCTL": ProgramRun.locationctl])
    #expect(run.status == 0)
    #expect(run.output.split(separator: "\n").count == 1)
    #expect(run.errors == "")
  }

  @Test func withoutSatellitesItGivesUpAtTheTimeout() throws {
    let port = try SimulatedPort(.nmea411)
    let run = try pipe("--source", "serial:\(port.path)", "--timeout", "0.2")
    #expect(run.status == 75 && run.output == "")
    #expect(
      run.errors.contains("No receiver listed its satellites before the timeout: \(port.path) sent no GNSS data"),
      "\(run.errors)")
    #expect(run.errors.contains("'locationctl doctor'"))
  }

  @Test func withoutAReceiverItSaysSo() throws {
    let run = try pipe("--source", "serial:/nonexistent/gps")
    #expect(run.status == 69)
    #expect(run.output == "")
    #expect(run.errors.contains("There is no /nonexistent/gps"), "\(run.errors)")
  }

  @Test func withWaitItReportsTheTimeout() throws {
    let run = try pipe("--source", "serial:/nonexistent/gps", "--wait", "--duration", "0.3")
    #expect(run.status == 75)
    #expect(
      run.errors.contains(
        "No receiver listed its satellites before --duration ended: no receiver is attached; plug one in"),
      "\(run.errors)")
  }

  @Test func badUsageIsReported() throws {
    for arguments in [["--count", "0"], ["--format", "gpx"], ["--duration", "x"]] {
      let run = try ProgramRun(["sky"] + arguments)
      #expect(run.status == 64, "\(run.errors)")
    }
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func aSignalLeavesTheTerminalAsItWas(signal: Int32, status: Int32) throws {
    let run = try terminal("--source", "simulator")
    #expect(run.read { frames($0) >= 2 })
    run.send(signal)
    #expect(run.end() == status)
    #expect(run.complaints == "")
    // The program switched no mode of the terminal that it would have to restore, and the cursor is below the picture.
    #expect(!run.output.contains("\u{1B}[?"))
    #expect(run.output.hasSuffix(Self.frameEnd))
  }

  // MARK: - On a terminal

  @Test func thePictureIsRedrawnInPlace() throws {
    let run = try terminal("--source", "simulator", "--count", "3")
    #expect(run.end() == 0)
    var screen = TerminalScreen(columns: 80, rows: 24)
    // The cursor is at the bottom of the screen, like after some other commands.
    screen.show(String(repeating: "$\r\n", count: 40))
    screen.show(run.output)
    #expect(screen.unknown == [])
    let lines = screen.lines
    #expect(lines.count { $0.contains("satellites used") } == 1)
    #expect(lines.first?.hasPrefix("3D fix  22 of 26 satellites used  HDOP 0.9  VDOP 1.5  PDOP 1.8  simulated") == true)
    #expect(lines[1].contains(" UTC"))
    #expect(lines.contains { $0.contains("R09") && $0.contains("·") })
    #expect(lines.contains { $0.contains("G19 █") })
    #expect(lines[22].contains("small: not used"))
    #expect(screen.row == 23 && screen.column == 0 && lines[23] == "")
  }

  @Test func aChangeOfSizeIsFollowed() throws {
    let run = try terminal("--source", "simulator")
    #expect(run.read { frames($0) >= 2 })
    let before = run.output.count
    run.resize(columns: 42, rows: 14)
    #expect(run.read { $0.dropFirst(before).contains("\u{1B}[2J") && frames(String($0.dropFirst(before))) >= 3 })
    let cleared = try #require(run.output.range(of: "\u{1B}[H\u{1B}[2J"))
    run.send(SIGTERM)
    #expect(run.end() == 143)
    var screen = TerminalScreen(columns: 42, rows: 14)
    screen.show(String(run.output[cleared.lowerBound...]))
    #expect(screen.unknown == [])
    #expect(screen.lines[0].hasPrefix("3D fix  22/26 used"))
    #expect(screen.lines.contains { $0.hasPrefix("G02 █") && $0.contains("R09 █") })
    // There is no room for the plot of the sky.
    #expect(!screen.lines.contains { $0.contains("·") })
  }

  /// Between the stop and the continuation, the shell has written below the picture.
  @Test func afterAStopItIsDrawnAgain() throws {
    let run = try terminal("--source", "simulator")
    #expect(run.read { frames($0) >= 2 })
    run.send(SIGSTOP)
    run.send(SIGCONT)
    let start = "\(Self.frameEnd)\r3D fix"
    #expect(run.read { $0.contains(start) })
    run.send(SIGINT)
    #expect(run.end() == 130)
  }

  @Test func aReceiverThatFallsSilentIsSeenToBe() throws {
    let port = try SimulatedPort(.ublox9)
    let run = try terminal("--source", "serial:\(port.path)")
    #expect(run.read(meanwhile: port.speak) { frames($0) >= 2 })
    #expect(run.read { $0.contains("silent for 3 s  3D fix") })
    run.send(SIGINT)
    #expect(run.end() == 130)
  }

  @Test(arguments: ["dumb", ""]) func aTerminalThatCannotBeDrawnOnGetsATable(kind: String) throws {
    let run = try terminal("--source", "simulator", "--count", "1", environment: ["TERM": kind])
    #expect(run.end() == 0)
    #expect(!run.output.contains("\u{1B}"))
    #expect(run.output.contains("NAME  SYSTEM"))
  }

  @Test func coloursComeUnlessTheyAreUnwanted() throws {
    let plain = try terminal("--source", "simulator", "--count", "1")
    #expect(plain.end() == 0)
    #expect(!plain.output.contains(/\u{1B}\[[0-9;]*m/))
    let colored = try terminal("--source", "simulator", "--count", "1", environment: ["NO_COLOR": "", "LANG": "C"])
    #expect(colored.end() == 0)
    #expect(colored.output.contains("\u{1B}[0;1;32mG02"))
    #expect(colored.output.unicodeScalars.allSatisfy { $0.isASCII })
  }
}
