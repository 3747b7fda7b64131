import Foundation
import Glibc
import LinuxIO
import LocationIPC
import LocationPolicy
import Synchronization
import TestSupport
import Testing

/// The horizontal dilution from the receiver's bytes to the files of an exported log, with the real daemon and the real command line.
@Suite(.serialized) struct DilutionTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  private func run(_ arguments: String...) throws -> CommandRun.Result { try CommandRun(arguments, at: place).finish() }

  /// Records at least `count` fixes of the receiver at `path` in the log `trip`.
  private func record(_ count: Int, from path: String) throws -> RunningDaemon {
    let daemon = try RunningDaemon.listening(["--source", "serial:\(path)"], at: place)
    #expect(try run("log", "start", "trip", "--standing").status == 0)
    let watch = try run("watch", "-n", "\(count)")
    #expect(watch.status == 0, "\(watch.errors)")
    #expect(try run("log", "stop", "trip").status == 0)
    return daemon
  }

  private func ends(_ daemon: RunningDaemon) {
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  /// What stands between `<hdop>` and its end in each point of a GPX document, and the number of points.
  private func dilutions(_ document: String) -> (values: [String], points: Int) {
    let parts = document.components(separatedBy: "<trkpt ").dropFirst()
    let values = parts.compactMap { $0.firstMatch(of: /<hdop>([0-9.]+)<\/hdop>/).map { String($0.output.1) } }
    return (values, parts.count)
  }

  /// The column HDOP of gpsbabel's table of a GPX file.
  private func gpsbabel(_ path: String) throws -> [Double] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: Self.gpsbabel)
    process.arguments = ["-t", "-i", "gpx", "-f", path, "-o", "unicsv", "-F", "-"]
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let rows = text.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let column = try #require(rows.first?.firstIndex(of: "HDOP"), "\(text.prefix(500))")
    return rows.dropFirst().compactMap { Double($0[column]) }
  }

  private static let gpsbabel = "/usr/bin/gpsbabel"

  @Test func theDilutionOfSentencesIsInEveryFormatThatHasIt() throws {
    let receiver = try DilutedReceiver()
    let daemon = try record(8, from: receiver.path)
    let fix = try run("fix", "--json")
    #expect(fix.objects.first?["hdop"] as? Double == 1.27, "\(fix.text) \(fix.errors)")

    let path = place.folder.appendingPathComponent("trip.gpx").path
    #expect(try run("log", "export", "trip", "-o", path).status == 0)
    let document = try String(contentsOfFile: path, encoding: .utf8)
    let (values, points) = dilutions(document)
    #expect(points >= 5 && values == Array(repeating: "1.27", count: points), "\(document.prefix(2000))")
    // GPX's order: the number of satellites, then the dilution, then the extensions.
    #expect(document.contains(#/<sat>8</sat>\s*<hdop>1.27</hdop>\s*<extensions>/#))
    if FileManager.default.isExecutableFile(atPath: Self.gpsbabel) {
      #expect(try gpsbabel(path) == Array(repeating: 1.27, count: points))
    }
    let geojson = try run("log", "export", "trip", "--format", "geojson").text
    #expect(geojson.contains("\"hdop\":[1.27,"))
    // The columns of the table are those of earlier versions.
    let table = try run("log", "export", "trip", "--format", "csv").text
    #expect(table.hasPrefix("timestamp,latitude,") && !table.contains("hdop"))

    // An imported file keeps it, too.
    #expect(try run("log", "import", "copy", path).status == 0)
    let copy = dilutions(try run("log", "export", "copy", "--format", "gpx").text)
    #expect(copy.points == points && copy.values == values)
    ends(daemon)
  }

  /// A u-blox receiver sends it in a message of its own, UBX-NAV-DOP.
  @Test func theDilutionOfUBXIsRecorded() throws {
    let receiver = try HelperProcess("simulated-ublox", ["ublox9", "hot"], environment: [:])
    let path = try #require(receiver.next().map { String(decoding: $0, as: UTF8.self) })
    let daemon = try record(6, from: path)
    let (values, points) = dilutions(try run("log", "export", "trip", "--format", "gpx").text)
    #expect(points >= 3 && values == Array(repeating: "0.90", count: points), "\(values) of \(points)")
    ends(daemon)
  }

  /// Without HDOP in the sentences nothing is invented.
  @Test func anUnknownDilutionIsAbsent() throws {
    let receiver = try DilutedReceiver(hdop: "")
    let daemon = try record(6, from: receiver.path)
    #expect(try run("fix", "--json").objects.first.map { $0["hdop"] == nil } == true)
    let (values, points) = dilutions(try run("log", "export", "trip", "--format", "gpx").text)
    #expect(points >= 3 && values.isEmpty)
    ends(daemon)
  }
}

/// A receiver that sends RMC and GGA five times a second, with the given text as HDOP.
final class DilutedReceiver: Sendable {
  let path: String
  private let terminal: Mutex<PseudoTerminal>

  init(hdop: String = "1.27") throws {
    let terminal = try PseudoTerminal()
    path = terminal.path
    self.terminal = Mutex(terminal)
    Thread.detachNewThread { [weak self] in
      var tenths = 0
      while let receiver = self {
        receiver.terminal.withLock { Self.speak(&$0, tenths % 10, hdop) }
        tenths += 2
        Glibc.poll(nil, 0, 200)
      }
    }
  }

  private static func speak(_ terminal: inout PseudoTerminal, _ tenth: Int, _ hdop: String) {
    var buffer = [UInt8](repeating: 0, count: 1024)
    while case .bytes = terminal.read(into: &buffer) {}
    var now = time(nil)
    var parts = unsafe tm()
    unsafe gmtime_r(&now, &parts)
    let clock = unsafe String(format: "%02d%02d%02d.%d0", parts.tm_hour, parts.tm_min, parts.tm_sec, tenth)
    let date = unsafe String(format: "%02d%02d%02d", parts.tm_mday, parts.tm_mon + 1, parts.tm_year % 100)
    let position = "4717.00000,N,00833.90000,E"
    let sentences = [
      "GPRMC,\(clock),A,\(position),3.6,0.0,\(date),,,A",
      "GPGGA,\(clock),\(position),1,08,\(hdop),400.0,M,47.0,M,,",
    ].map { "$\($0)*\(String(format: "%02X", $0.utf8.reduce(0, ^)))\r\n" }.joined()
    _ = terminal.write(Array(sentences.utf8))
  }
}
