import Foundation
import TestSupport
import Testing

/// Unmodified clients of gpsd's protocol at a daemon with a simulated receiver.
@Suite(.serialized) struct GPSDClientTests {
  private static let gpspipe = "/usr/bin/gpspipe"
  private static let isInstalled = GPSDServing.isInstalled(gpspipe)
  static let needsClients: Comment = "gpsd's clients are not installed: apt-get install gpsd-clients"

  @Test(.enabled(if: isInstalled, needsClients)) func gpspipeReceivesWholeEpochs() throws {
    let serving = try GPSDServing()
    let run = try GPSDServing.run([Self.gpspipe, "-w", "-n", "20", "127.0.0.1:\(serving.gpsd)"])
    #expect(run.status == 0, "\(run.output)")
    // The first fixes have no time: the receiver has not confirmed it yet.
    let fix = try #require(
      GPSDServing.objects("TPV", in: run.output).first { $0["mode"] as? Int == 3 && $0["time"] is String },
      "\(run.output)")
    let (eph, epx, epy) = (fix["eph"] as? Double ?? 0, fix["epx"] as? Double ?? 0, fix["epy"] as? Double ?? 0)
    #expect(eph > 0 && abs((epx * epx + epy * epy).squareRoot() - eph) < 0.01)
    #expect(fix["lat"] is Double)
    let sky = try #require(GPSDServing.objects("SKY", in: run.output).first)
    #expect((sky["satellites"] as? [[String: Any]])?.isEmpty == false)
    // Each object is a line of JSON.
    #expect(run.output.split(whereSeparator: \.isNewline).count == 20)
  }

  @Test(.enabled(if: isInstalled, needsClients)) func gpspipeReceivesSentencesAndRawBytes() throws {
    let serving = try GPSDServing()
    let sentences = try GPSDServing.run([Self.gpspipe, "-r", "-n", "12", "127.0.0.1:\(serving.gpsd)"])
    #expect(sentences.output.contains("$GNGGA") || sentences.output.contains("$GNRMC"), "\(sentences.output)")
    let raw = try GPSDServing.run([Self.gpspipe, "-R", "-n", "12", "127.0.0.1:\(serving.gpsd)"])
    #expect(raw.output.contains("$G"), "\(raw.output)")
  }

  /// Python's gps module over IPv6.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/gps"), needsClients))
  func pythonReceivesAFix() throws {
    let serving = try GPSDServing()
    let script = """
      import gps
      session = gps.gps(host='::1', port='\(serving.gpsd)', mode=gps.WATCH_ENABLE)
      while True:
          if session.read() != 0: raise SystemExit('closed')
          if session.valid & gps.MODE_SET and session.fix.mode == 3:
              print('fix', session.fix.latitude, session.fix.eph)
              break
      """
    let run = try GPSDServing.run(["/usr/bin/python3", "-c", script])
    #expect(run.output.hasPrefix("fix "), "\(run.output)")
  }

  @Test func readersOfNMEAReceiveSentences() throws {
    let serving = try GPSDServing()
    let client = try PortConnection(port: serving.nmea)
    #expect(client.line(with: "GNRMC")?.contains(",A,") == true)
    #expect(client.line(with: "GNGGA") != nil)
  }

  /// The receiver is open while a client watches, and closed after the last one.
  @Test func theReceiverIsOpenWhileSomebodyWatches() throws {
    let serving = try GPSDServing()
    var client: PortConnection? = try PortConnection(port: serving.gpsd)
    #expect(client?.line()?.contains("\"class\":\"VERSION\"") == true)
    client?.send("?DEVICES;\n")
    #expect(client?.line()?.contains("activated") == false)
    client?.send("?WATCH={\"enable\":true,\"json\":true}")
    try serving.daemon.awaitLine("is open")
    #expect(client?.line(with: "\"lat\"") != nil)
    let status = try #require(try CommandRun.run("status", "--json", at: serving.place).objects.first)
    let clients = try #require(status["clients"] as? [[String: Any]])
    #expect(clients.contains { $0["name"] as? String == "gpsd client" && $0["streams"] as? Int == 1 }, "\(clients)")
    client = nil
    try serving.daemon.awaitLine("is closed")
  }

  /// A daemon that serves gpsd's clients at the port where it looks for a gpsd does not take itself for one.
  @Test func theDaemonIsNotItsOwnGPSD() throws {
    let place = try RunningDaemon.Place()
    let port = Int.random(in: 20_000..<32_000)
    let receiver = try HelperProcess("simulated-ublox", ["ublox8", "hot"], environment: [:])
    let path = String(decoding: try #require(receiver.next()), as: UTF8.self)
    let daemon = try RunningDaemon(
      ["--source", "serial:\(path)"], at: place,
      environment: ["LOCATIOND_GPSD_LISTEN": "127.0.0.1:\(port)", "LOCATIOND_GPSD": "127.0.0.1:\(port)"])
    try daemon.awaitLine("Serving")
    let client = try PortConnection(port: port)
    client.send("?WATCH={\"enable\":true,\"json\":true}\n")
    #expect(client.line(with: "\"mode\":3") != nil)
  }

  /// Off by default: no TCP socket at all.
  @Test func nothingListensUnlessItIsSwitchedOn() throws {
    let place = try RunningDaemon.Place()
    let daemon = try RunningDaemon.listening(at: place)
    let folder = "/proc/\(daemon.processID)/fd"
    for entry in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(entry)")) ?? ""
      guard target.hasPrefix("socket:[") else { continue }
      let inode = target.dropFirst(8).dropLast()
      let tables = try ["tcp", "tcp6"].map { try String(contentsOfFile: "/proc/net/\($0)", encoding: .utf8) }
      #expect(!tables.contains { $0.contains(" \(inode) ") })
    }
  }

  /// SIGHUP opens and closes the ports.
  @Test func aReloadOpensAndClosesThePorts() throws {
    let place = try RunningDaemon.Place()
    let port = Int.random(in: 20_000..<32_000)
    let daemon = try RunningDaemon.listening(at: place)
    #expect(throws: PortConnection.NotConnected.self) { try PortConnection(port: port) }
    try place.configure("gpsd-listen = 127.0.0.1:\(port)\n")
    daemon.send(SIGHUP)
    try daemon.awaitLine("Serving gpsd's protocol at 127.0.0.1:\(port)")
    let client = try PortConnection(port: port)
    #expect(client.line()?.contains("VERSION") == true)
    try place.configure("gpsd-listen = off\n")
    daemon.send(SIGHUP)
    // The client is disconnected.
    #expect(client.line() == nil)
    #expect(throws: PortConnection.NotConnected.self) { try PortConnection(port: port) }
  }

  /// A port that gpsd has stays gpsd's.
  @Test(.enabled(if: RunningGPSD.isInstalled, "gpsd is not installed: apt-get install gpsd"))
  func gpsdKeepsItsPort() throws {
    let gpsd = try RunningGPSD([], hasControl: true)
    let place = try RunningDaemon.Place()
    let daemon = try RunningDaemon(
      at: place, environment: ["LOCATIOND_GPSD_LISTEN": "127.0.0.1:\(gpsd.port)"])
    try daemon.awaitLine("another program, such as gpsd, listens there")
    try daemon.awaitLine("Listening")
    #expect(gpsd.isRunning)
    #expect(try CommandRun.run("fix", "--timeout", "20", at: place).status == 0)
  }
}
