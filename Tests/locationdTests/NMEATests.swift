import Foundation
import Glibc
import LinuxIO
import Synchronization
import TestSupport
import Testing

/// `locationctl nmea` with a receiver at a pseudo-terminal: through the daemon, and without one.
@Suite(.serialized) struct NMEATests {
  private let place: RunningDaemon.Place
  private let receiver: TalkingReceiver

  init() throws {
    place = try RunningDaemon.Place()
    receiver = try TalkingReceiver()
  }

  private func run(_ arguments: String...) throws -> CommandRun.Result { try CommandRun(arguments, at: place).finish() }

  private func daemon() throws -> RunningDaemon {
    try RunningDaemon.listening(["--source", "serial:\(receiver.path)"], at: place)
  }

  private func ends(_ daemon: RunningDaemon) {
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  /// The output is a part of what the receiver has sent, byte for byte, without gaps.
  private func expectSent(_ output: Data, _ count: Int) {
    let sent = receiver.sent
    #expect(output.split(separator: 0x0A).count == count)
    #expect(!output.isEmpty && sent.range(of: output) != nil, "\(String(decoding: output.prefix(300), as: UTF8.self))")
  }

  @Test func theDaemonPassesTheSentencesOnUnaltered() throws {
    let daemon = try daemon()
    let result = try run("nmea", "--count", "60")
    #expect(result.status == 0, "\(result.errors)")
    expectSent(result.output, 60)
    // Also of this receiver by name, which the daemon has open, beside another client.
    let other = try CommandRun(["watch", "--count", "3"], at: place)
    let named = try run("nmea", "--source", "serial:\(receiver.path)", "-n", "10")
    expectSent(named.output, 10)
    #expect(other.finish().status == 0)
    ends(daemon)
  }

  @Test func withoutADaemonTheCommandOpensTheReceiver() throws {
    let result = try run("nmea", "--source", "serial:\(receiver.path)", "--count", "60")
    #expect(result.status == 0, "\(result.errors)")
    expectSent(result.output, 60)
  }

  @Test func eachSentenceIsWrittenAtOnceAndTheReaderMayGo() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "\"$0\" nmea --source serial:\"$1\" | head -n 1", HelperProcess.folder + "/locationctl", receiver.path,
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let line = output.fileHandleForReading.readDataToEndOfFile()
    #expect(errors.fileHandleForReading.readDataToEndOfFile().isEmpty)
    process.waitUntilExit()
    expectSent(line, 1)
  }

  @Test func timesPrecedeTheSentences() throws {
    let result = try run("nmea", "--source", "serial:\(receiver.path)", "--count", "5", "--timestamps")
    let lines = result.text.split(separator: "\r\n")
    #expect(lines.count == 5)
    for line in lines {
      let parts = try #require(line.wholeMatch(of: /(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d): (\$.*)/))
      #expect(receiver.sent.range(of: Data((String(parts.output.2) + "\r\n").utf8)) != nil)
    }
  }

  @Test func otherProgramsOpenTheSentencesAsAPort() throws {
    let daemon = try daemon()
    let link = place.folder.appendingPathComponent("gps").path
    // A link that a killed command has left, and a file that is none.
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/pts/99999")
    let file = place.folder.appendingPathComponent("file").path
    try Data("x".utf8).write(to: URL(fileURLWithPath: file))
    let taken = try run("nmea", "--pty", file)
    #expect(taken.status == 73 && taken.errors.contains("exists"), "\(taken.errors)")
    let port = try port(link)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link).hasPrefix("/dev/pts/"))
    // Another instance of this program reads the port like that of a receiver.
    let reader = try CommandRun(["nmea", "--source", "serial:\(link)", "--count", "40"], at: place)
    let result = reader.finish()
    #expect(result.status == 0, "\(result.errors)")
    expectSent(result.output, 40)
    port.interrupt()
    port.waitUntilExit()
    #expect(port.terminationStatus == 130)
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil)
    ends(daemon)
  }

  /// Two commands never have the same link: the programs that read it would change from one receiver to the other.
  @Test func aLinkBelongsToOneCommand() throws {
    let daemon = try daemon()
    let link = place.folder.appendingPathComponent("gps").path
    let first = try port(link)
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
    let second = try run("nmea", "--pty", link)
    #expect(
      second.status == 75 && second.errors.contains("(process \(first.processIdentifier)) offers \(link)"),
      "\(second.errors)")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    // Killed, it leaves its link, whose terminal may be another program's by now.
    kill(first.processIdentifier, SIGKILL)
    first.waitUntilExit()
    let squatter = try PseudoTerminal()
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    let third = try port(link)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) != squatter.path)
    // A link that another program has put in its place stays.
    try FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: squatter.path)
    third.interrupt()
    third.waitUntilExit()
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == squatter.path)
    let taken = try run("nmea", "--pty", link)
    #expect(taken.status == 73 && taken.errors.contains("exists"), "\(taken.errors)")
    let empty = try run("nmea", "--pty", "")
    #expect(empty.status == 64 && empty.errors.contains("The path of the link is empty"), "\(empty.errors)")
    ends(daemon)
  }

  /// The position of the service has no HDOP: gpsd reads the sentences with that empty field.
  @Test(.enabled(if: RunningGPSD.isInstalled, "needs gpsd")) func gpsdReadsTheSentencesThatAreMade() throws {
    let ublox = try HelperProcess("simulated-ublox", ["ublox9", "hot"], environment: [:])
    let path = try #require(ublox.next().map { String(decoding: $0, as: UTF8.self) })
    let link = place.folder.appendingPathComponent("gps").path
    let port = try port(link, ["--fused", "--source", "serial:\(path)"])
    let gpsd = try RunningGPSD([try FileManager.default.destinationOfSymbolicLink(atPath: link)])
    let report = try gpsd.report { $0.contains("\"TPV\"") && $0.contains("\"altMSL\"") && $0.contains("\"time\"") }
    #expect(report?.contains("\"mode\":3,") == true && report?.contains("\"lat\":") == true, "\(report ?? "")")
    port.interrupt()
    port.waitUntilExit()
    withExtendedLifetime((ublox, gpsd)) {}
  }

  /// A command that offers the sentences at this link.
  private func port(_ link: String, _ arguments: [String] = []) throws -> Process {
    let port = Process()
    port.executableURL = URL(fileURLWithPath: HelperProcess.folder + "/locationctl")
    port.arguments = ["nmea", "--pty", link] + arguments
    port.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
    let output = Pipe()
    port.standardOutput = output
    port.standardInput = FileHandle.nullDevice
    try port.run()
    #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == link + "\n")
    return port
  }

  @Test func aReceiverOfUBXHasNoSentencesUnlessTheyAreMade() throws {
    let ublox = try HelperProcess("simulated-ublox", ["ublox9", "hot"], environment: [:])
    let path = try #require(ublox.next().map { String(decoding: $0, as: UTF8.self) })
    let made = try run("nmea", "--fused", "--source", "serial:\(path)", "--count", "30")
    #expect(made.status == 0, "\(made.errors)")
    let lines = made.text.split(separator: "\r\n")
    let kinds = Set(lines.map { $0.dropFirst(3).prefix(3) })
    #expect(kinds.isSuperset(of: ["GGA", "RMC", "VTG", "GST", "GSA", "GSV"]), "\(kinds)")
    for line in lines {
      let parts = try #require(line.wholeMatch(of: /\$([^*]*)\*([0-9A-F]{2})/))
      #expect(UInt8(parts.output.2, radix: 16) == parts.output.1.utf8.reduce(0, ^))
    }
  }

  @Test func wrongArgumentsAndNoReceiver() throws {
    #expect(try run("nmea", "link").status == 64)
    #expect(try run("nmea", "--pty", "--timestamps").status == 64)
    #expect(try run("nmea", "--source", "serial:/dev/does-not-exist").status == 69)
    let silent = try PseudoTerminal()
    let nothing = try run("nmea", "--source", "serial:\(silent.path)", "--duration", "1")
    #expect(nothing.status == 75 && nothing.text.isEmpty, "\(nothing.errors)")
  }
}

/// A receiver that sends sentences of all kinds ten times a second, with other bytes between them, and remembers the sentences.
private final class TalkingReceiver: Sendable {
  let path: String
  private let state: Mutex<State>

  private struct State: ~Copyable {
    let terminal: PseudoTerminal
    var sent = Data()
    var second = 0
  }

  /// All sentences that were sent.
  var sent: Data { state.withLock { $0.sent } }

  init() throws {
    let terminal = try PseudoTerminal()
    path = terminal.path
    state = Mutex(State(terminal: terminal))
    Thread.detachNewThread { [weak self] in
      while let receiver = self {
        receiver.state.withLock { Self.speak(&$0) }
        Glibc.poll(nil, 0, 100)
      }
    }
  }

  private static func speak(_ state: inout State) {
    var buffer = [UInt8](repeating: 0, count: 1024)
    while case .bytes = state.terminal.read(into: &buffer) {}
    state.second += 1
    var now = time(nil)
    var parts = unsafe tm()
    unsafe gmtime_r(&now, &parts)
    let clock = unsafe String(
      format: "%02d%02d%02d.%d0", parts.tm_hour, parts.tm_min, parts.tm_sec, state.second % 10)
    let date = unsafe String(format: "%02d%02d%02d", parts.tm_mday, parts.tm_mon + 1, parts.tm_year % 100)
    let position = String(format: "47%08.5f,N,00833.90000,E", 17.0 + Double(state.second % 1000) * 0.00001)
    let sentences = [
      "GPRMC,\(clock),A,\(position),3.6,0.0,\(date),,,A", "GPGGA,\(clock),\(position),1,08,1.0,400.0,M,47.0,M,,",
      "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.8,1.0,1.5", "PGRMZ,1312,f,3", "GPXTE,A,A,0.67,L,N",
      "GPTXT,01,01,02,number \(state.second) ~ with spaces",
    ].map { "$\($0)*\(String(format: "%02X", $0.utf8.reduce(0, ^)))\r\n" }.joined()
    // The reader gets a whole burst or nothing, so that what it gets has no gaps.
    guard case .written(let count) = state.terminal.write(Array(sentences.utf8)), count == sentences.utf8.count else {
      return
    }
    state.sent += Data(sentences.utf8)
    // Not a sentence: a text, and one with a wrong checksum.
    _ = state.terminal.write(Array("noise\r\n$GPGLL,,,*00\r\n".utf8))
  }
}
