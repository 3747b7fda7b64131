import Foundation
import TestSupport
import Testing

/// `--source serial:PATH`, with and without a daemon: the fix comes from that receiver, or there is none.
@Suite(.serialized) struct NamedSourceTests {
  private let place: RunningDaemon.Place
  private let receiver: HelperProcess
  private let path: String

  init() throws {
    place = try RunningDaemon.Place()
    receiver = try HelperProcess("simulated-ublox", ["ublox8", "hot"], environment: [:])
    path = try #require(receiver.next().map { String(decoding: $0, as: UTF8.self) })
  }

  private func run(
    _ command: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> CommandRun.Result {
    try CommandRun([command] + arguments, at: place, environment: environment).finish()
  }

  private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandRun.Result {
    try CommandRun(arguments, at: place, environment: environment).finish()
  }

  @Test func withoutADaemonAFixOfAnotherReceiverAnswersNothing() throws {
    let fix = try run("fix", "--source", "serial:\(path)")
    #expect(fix.status == 0 && fix.objects.first?["device"] as? String == path, "\(fix.errors)")
    // A terminal whose other end never sends anything.
    var (master, slave) = (Int32(-1), Int32(-1))
    var name = [CChar](repeating: 0, count: 128)
    let opened = unsafe openpty(&master, &slave, &name, nil, nil)
    try #require(opened == 0)
    close(slave)
    defer { close(master) }
    let silent = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let watch = try run("watch", "--source", "serial:\(silent)", "--duration", "0.2")
    #expect(watch.status == 75 && watch.text == "", "\(watch.text)")
    for (source, status) in [
      ("serial:/dev/does-not-exist", 69), ("serial:\(place.folder.path)", 64), ("serial:/etc/passwd", 64),
      ("gpsd:localhost:1", 69),
    ] {
      let other = try run("fix", "--source", source, "--max-age", "3600", "--or-last")
      #expect(other.status == Int32(status) && other.text == "", "\(source): \(other.text)\(other.errors)")
    }
    let own = try run("fix", "--source", "serial:\(path)", "--max-age", "3600")
    #expect(own.objects.first?["timestamp"] as? String == fix.objects.first?["timestamp"] as? String)
  }

  /// The daemon lists a serial port that is not trusted, but never opens it; a command that names the port opens it.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/ttyS0"), "needs a serial port"))
  func aPortThatTheDaemonLeavesAloneIsOpenedByTheCommand() throws {
    let daemon = try RunningDaemon.listening(["--source", "auto"], at: place)
    let fix = try run("fix", "--source", "serial:/dev/ttyS0", "--timeout", "2")
    #expect(fix.status != 0 && !fix.errors.contains("devices trust"), "\(fix.errors)")
    #expect(fix.errors.contains("/dev/ttyS0"), "\(fix.errors)")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  /// The daemon retries every second, and reports the problem once.
  @Test func aPortThatIsGoneIsReportedOnce() throws {
    var own: HelperProcess? = try HelperProcess("simulated-ublox", ["ublox8", "hot"], environment: [:])
    let terminal = try #require(own?.next().map { String(decoding: $0, as: UTF8.self) })
    // Use a separate path: the kernel gives the path of a closed terminal to the next terminal, which may be another
    // test's receiver.
    let port = place.folder.appendingPathComponent("receiver").path
    try FileManager.default.createSymbolicLink(atPath: port, withDestinationPath: terminal)
    let daemon = try RunningDaemon.listening(["--source", "serial:\(port)"], at: place)
    #expect(try run("fix", "--timeout", "20").status == 0)
    let watch = try CommandRun(["watch", "--wait"], at: place)
    try FileManager.default.removeItem(atPath: port)
    own = nil
    #expect(try run("fix", "--wait", "--max-age", "0", "--timeout", "6").status != 0)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    // The problem may change once while the port disappears: from an I/O error to a path that does not exist.
    let lines = daemon.rest().filter { $0.contains("Cannot open") }
    #expect((1...2).contains(lines.count) && Set(lines).count == lines.count, "\(lines)")
    withExtendedLifetime(watch) {}
  }

  /// A port that a command waits for and that never appears: the answer is the same with and without a daemon that has
  /// the port.
  @Test(arguments: [nil, "serial:/dev/never", "auto"])
  func aPortThatNeverAppearsIsReported(daemonSource: String?) throws {
    let daemon = try daemonSource.map { try RunningDaemon.listening(["--source", $0], at: place) }
    let waited = try run("fix", "--wait", "--source", "serial:/dev/never", "--timeout", "2")
    #expect(waited.status == 69 && waited.text == "", "\(waited.errors)")
    #expect(waited.errors.contains("/dev/never did not appear before the timeout"), "\(waited.errors)")
    #expect(waited.errors.contains("--timeout") && waited.errors.contains("locationctl devices"), "\(waited.errors)")
    let atOnce = try run("fix", "--source", "serial:/dev/never", "--timeout", "2")
    #expect(atOnce.status == 69 && atOnce.errors.contains("There is no /dev/never"), "\(atOnce.errors)")
    withExtendedLifetime(daemon) {}
  }

  /// The reported cause is that Wi-Fi is switched off, whatever the kernel has.
  @Test(arguments: [
    ["fix", "--source", "wifi"], ["watch", "--source", "wifi"], ["wifi", "locate"], ["wifi", "scan"],
  ])
  func disabledWiFiIsReported(arguments: [String]) throws {
    let off = ["LOCATIOND_WIFI": "off"]
    let alone = try CommandRun(arguments, at: place, environment: off).finish()
    #expect(
      alone.status == 69 && alone.errors.contains("Wi-Fi positioning is off (LOCATIOND_WIFI=off)"), "\(alone.errors)")
    for source in ["auto", "wifi"] {
      let daemon = try RunningDaemon.listening(["--source", source], at: place, environment: off)
      let reported = try run(arguments[0], arguments[1], arguments.count > 2 ? arguments[2] : "--json")
      #expect(reported.status == 69 && reported.text == "", "\(source): \(reported.text)\(reported.errors)")
      // This command cannot see the environment of the daemon.
      #expect(
        reported.errors.contains("Wi-Fi positioning is off (in the environment of locationd)"),
        "\(source): \(reported.errors)")
      if source == "wifi" {
        let fix = try run("fix", "--timeout", "5")
        #expect(fix.status == 69 && fix.errors.contains("off (in the environment of locationd)"), "\(fix.errors)")
      }
      daemon.send(SIGTERM)
      #expect(daemon.end() == 0)
    }
  }

  /// The process that holds the port which the command waits for is named.
  @Test(arguments: [["watch"], ["sky"], ["capture", "-"]])
  func theHolderOfThePortIsNamed(arguments: [String]) throws {
    let daemon = try RunningDaemon.listening(["--source", "serial:\(path)"], at: place)
    let watch = try CommandRun(["watch", "--duration", "30"], at: place)
    try daemon.awaitLine("is open")
    let waiting = try run(
      arguments[0], ["--source", "serial:\(path)", "--duration", "1"] + arguments.dropFirst(),
      environment: ["LOCATIOND_SOCKET": "\(place.folder.path)/none"])
    #expect(
      waiting.errors.contains("\(path) is in use by locationd (process \(daemon.processID)): waiting until it is free"),
      "\(waiting.errors)")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    _ = watch
  }

  @Test func theDaemonThatHasThePortIsAsked() throws {
    let daemon = try RunningDaemon.listening(["--source", "serial:\(path)"], at: place)
    let watch = try CommandRun(["watch", "--duration", "30"], at: place)
    try daemon.awaitLine("is open")
    let link = place.folder.appendingPathComponent("gps").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    for name in [path, link] {
      let fix = try run("fix", "--source", "serial:\(name)", "--timeout", "20")
      #expect(fix.status == 0 && fix.objects.first?["device"] as? String == path, "\(fix.errors)")
    }
    let named = try run("fix", environment: ["LOCATIOND_SOURCE": "serial:\(path)"])
    #expect(named.status == 0, "\(named.errors)")
    #expect(try run("watch", "--source", "serial:\(path)", "--count", "1").status == 0)
    #expect(try run("sky", "--source", "serial:\(path)", "--count", "1").status == 0)
    #expect(try run("fix", "--source", "serial:/dev/does-not-exist").status == 69)
    // A daemon that holds the port is named even if the command cannot connect to it.
    let elsewhere = try run(
      "fix", "--source", "serial:\(path)", "--timeout", "1",
      environment: ["LOCATIOND_SOCKET": "\(place.folder.path)/none"])
    #expect(elsewhere.status == 75)
    #expect(elsewhere.errors.contains("in use by locationd (process \(daemon.processID))"), "\(elsewhere.errors)")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    _ = watch
  }

  @Test func manyImmediatelyWithoutADaemonShareAFix() throws {
    let runs = try (0..<20).map { _ in
      try CommandRun(["fix", "--source", "serial:\(path)", "--max-age", "60"], at: place)
    }
    let results = runs.map { $0.finish() }
    #expect(results.allSatisfy { $0.status == 0 }, "\(results.map(\.errors))")
    let times = Set(results.compactMap { $0.objects.first?["timestamp"] as? String })
    #expect(times.count <= 3, "\(times)")
  }
}
