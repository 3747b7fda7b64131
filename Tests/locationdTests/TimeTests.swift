import Foundation
import TestSupport
import Testing

private let chronyd = "/usr/sbin/chronyd"

/// The receivers' time at a real chronyd, which does not touch the clock (`-x`): a daemon with a simulated u-blox at a pseudo-terminal.
@Suite(
  .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: chronyd), "needs chronyd (Debian package chrony)"))
struct TimeTests {
  private let place: RunningDaemon.Place
  private let receiver: HelperProcess
  private let path: String

  init() throws {
    place = try RunningDaemon.Place()
    receiver = try HelperProcess("simulated-ublox", ["ublox8", "hot"], environment: [:])
    path = try #require(receiver.next().map { String(decoding: $0, as: UTF8.self) })
  }

  private var socket: String { place.folder.appendingPathComponent("chrony.locationd.sock").path }

  /// A daemon that sends its time from the start on, without a client.
  private func daemon() throws -> RunningDaemon {
    try RunningDaemon.listening(
      ["--source", "serial:\(path)"], at: place,
      environment: ["LOCATIOND_TIME": "chrony", "LOCATIOND_TIME_SOCKET": socket])
  }

  @Test(.timeLimit(.minutes(1))) func chronydGetsSamplesAndAgainAfterItsRestart() throws {
    let first = try RunningChronyd(in: place.folder, socket: socket)
    let daemon = try daemon()
    try daemon.awaitLine("\(socket) gets the time")
    #expect(first.offsets(atLeast: 3).count >= 3)
    first.kill()
    // A killed chronyd leaves its socket; the next one creates another.
    let second = try RunningChronyd(in: place.folder, socket: socket)
    let before = second.offsets(atLeast: 0).count
    let all = second.offsets(atLeast: before + 3)
    #expect(all.count >= before + 3)
    // Both clocks are this machine's: the simulated receiver started in the same second.
    #expect(all.allSatisfy { abs($0) < 2 })

    let status = try CommandRun.run("time", "status", "--json", at: place)
    let object = try #require(status.objects.first, "\(status.errors)")
    #expect(object["state"] as? String == "on")
    let receivers = try #require(object["receivers"] as? [[String: Any]])
    #expect(receivers.map { $0["device"] as? String } == [path])
    #expect(receivers.first?["state"] as? String == "sending")
    #expect(receivers.first?["delayBasis"] as? String == "portClass")
    let sinks = try #require(object["sinks"] as? [[String: Any]])
    #expect(sinks.map { $0["name"] as? String } == [socket])
    #expect(sinks.first?["state"] as? String == "receiving")
    #expect(try CommandRun.run("time", "calibrate", at: place).status == 0)
    #expect(try CommandRun.run("time", "calibrate", "--end", at: place).status == 0)
  }

  /// The same moments reach programs of gpsd's protocol, if they request them.
  @Test(.timeLimit(.minutes(1))) func programsOfGPSDReceiveTheMoments() throws {
    let serving = try GPSDServing(
      ["--source", "serial:\(path)"],
      environment: ["LOCATIOND_TIME": "chrony", "LOCATIOND_TIME_SOCKET": "/nonexistent/chrony.sock"])
    let client = try PortConnection(port: serving.gpsd)
    client.send("?WATCH={\"enable\":true,\"json\":true,\"pps\":true}\n")
    let line = try #require(client.line(with: "\"TOFF\""))
    let mark = try #require(GPSDServing.objects("TOFF", in: line).first)
    #expect(mark["device"] as? String == path && mark["precision"] as? Int == -2, "\(line)")
    // Both clocks are this machine's: the simulated receiver started in the same second.
    let (real, clock) = (try #require(mark["real_sec"] as? Int), try #require(mark["clock_sec"] as? Int))
    #expect(abs(real - clock) <= 2, "\(line)")
  }

  /// Off by default: the receiver stays closed, and there is nothing in the status.
  @Test func withoutTheSettingNothingRuns() throws {
    let daemon = try RunningDaemon.listening(["--source", "serial:\(path)"], at: place)
    let status = try CommandRun.run("status", "--json", at: place)
    let devices = try #require(status.objects.first?["devices"] as? [[String: Any]])
    #expect(devices.map { $0["state"] as? String } == ["closed"])
    #expect(status.objects.first?["time"] == nil)
    #expect(try CommandRun.run("time", "--json", at: place).text == "{\"schema\":1,\"state\":\"off\"}\n")
    let calibrate = try CommandRun.run("time", "calibrate", at: place)
    #expect(calibrate.status == 64 && calibrate.errors.contains("time setup"), "\(calibrate.errors)")
    withExtendedLifetime(daemon) {}
  }

  /// A reload of the settings opens the receiver, and closes it again.
  @Test func aReloadSwitchesItOnAndOff() throws {
    let daemon = try RunningDaemon.listening(["--source", "serial:\(path)"], at: place)
    try place.configure("time = chrony\ntime-socket = \(socket)\n")
    daemon.send(SIGHUP)
    try daemon.awaitLine("There is no socket \(socket)")
    try place.configure("")
    daemon.send(SIGHUP)
    try daemon.awaitLine("is closed")
  }

  /// The figure of Documentation/Benchmarks.md.
  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["LOCATION_PEERS"] == "1", "needs LOCATION_PEERS=1"),
    .timeLimit(.minutes(2)))
  func chronydSelectsIt() throws {
    let chronyd = try RunningChronyd(in: place.folder, socket: socket)
    let daemon = try daemon()
    #expect(chronyd.awaitLine("Selected source GNSS"))
    withExtendedLifetime(daemon) {}
  }

  /// `time setup` writes the lines for chrony below the root of the configuration, and the setting.
  @Test func setupWritesTheLines() throws {
    let missing = try CommandRun.run("time", "setup", at: place)
    #expect(missing.status == 64 && missing.errors.contains("apt-get install chrony"), "\(missing.errors)")
    try place.configure("makestep 1 3\nconfdir /etc/chrony/conf.d\n", in: "etc/chrony/chrony.conf")
    let setup = try CommandRun.run("time", "setup", at: place)
    #expect(setup.status == 0, "\(setup.errors)")
    func text(_ file: String) throws -> String {
      try String(contentsOf: place.configuration.appendingPathComponent(file), encoding: .utf8)
    }
    #expect(
      try text("etc/chrony/conf.d/locationd.conf").contains("refclock SOCK /run/chrony.locationd.sock refid GNSS"))
    #expect(try text("etc/locationd.conf.d/90-locationctl.conf").contains("time = chrony"))
    try place.configure("refclock SOCK /run/chrony.locationd.sock\n", in: "etc/chrony/chrony.conf")
    let twice = try CommandRun.run("time", "setup", at: place)
    #expect(twice.status == 65 && twice.errors.contains("line 1 uses the socket"), "\(twice.errors)")
  }

  private func text(_ file: String) -> String? {
    try? String(contentsOf: place.configuration.appendingPathComponent(file), encoding: .utf8)
  }

  /// `time setup` reads all files of chrony, and replaces neither another sink nor a file that somebody has changed; `time off` undoes it.
  @Test func setupKeepsWhatTheOwnerWrote() throws {
    let (snippet, own) = ("etc/chrony/conf.d/locationd.conf", "etc/locationd.conf.d/90-locationctl.conf")
    try place.configure("makestep 1 3\nconfdir /etc/chrony/conf.d\n", in: "etc/chrony/chrony.conf")
    try place.configure("refclock SHM 0 refid NMEA\n", in: "etc/chrony/conf.d/gpsd.conf")
    try place.configure("time = shm:2\n")
    let setup = try CommandRun.run("time", "setup", at: place)
    #expect(setup.status == 0 && setup.errors.contains("conf.d/gpsd.conf: line 1 also gets time"), "\(setup.errors)")
    #expect(text(own)?.contains("time = chrony,shm:2") == true, "\(text(own) ?? "-")")
    #expect(text("etc/chrony/conf.d/gpsd.conf") == "refclock SHM 0 refid NMEA\n")

    // The setting of the main file would apply again, so that off has to be written.
    let off = try CommandRun.run("time", "off", at: place)
    #expect(off.status == 0 && text(snippet) == nil && text(own)?.contains("time = off") == true, "\(off.errors)")
    try place.configure("")
    #expect(try CommandRun.run("time", "off", at: place).status == 0)
    #expect(text(own) == nil)

    let changed = "refclock SOCK /run/chrony.locationd.sock refid GPS poll 4\n"
    try place.configure(changed, in: snippet)
    let again = try CommandRun.run("time", "setup", at: place)
    #expect(
      again.status == 0 && again.errors.contains("changed by hand") && text(snippet) == changed, "\(again.errors)")
    let end = try CommandRun.run("time", "off", at: place)
    #expect(end.status == 0 && end.errors.contains("changed by hand") && text(snippet) == changed, "\(end.errors)")
    // A line for the same socket in another file: chronyd could not bind it twice.
    try place.configure(changed, in: "etc/chrony/conf.d/mine.conf")
    let twice = try CommandRun.run("time", "setup", at: place)
    #expect(twice.status == 65 && twice.errors.contains("mine.conf: line 1 uses the socket"), "\(twice.errors)")
  }

  /// The right to set the clock is not given if the setting cannot be written.
  @Test func setClockGivesTheRightLast() throws {
    let (dropIn, own) = (
      "etc/systemd/system/location-time.service.d/set-clock.conf", "etc/locationd.conf.d/90-locationctl.conf"
    )
    let folder = place.configuration.appendingPathComponent("etc/locationd.conf.d")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let link = place.configuration.appendingPathComponent(own)
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "/nowhere")
    let refused = try CommandRun.run("time", "set-clock", "on", at: place)
    #expect(refused.status == 73 && refused.errors.contains("symbolic link"), "\(refused.errors)")
    #expect(text(dropIn) == nil)
    try FileManager.default.removeItem(at: link)
    #expect(try CommandRun.run("time", "set-clock", "on", at: place).status == 0)
    #expect(text(dropIn)?.contains("CAP_SYS_TIME") == true && text(own)?.contains("set-clock = on") == true)
    #expect(try CommandRun.run("time", "set-clock", "off", at: place).status == 0)
    #expect(text(dropIn) == nil && text(own)?.contains("set-clock = off") == true)
  }

  /// Without its helper, no receiver stays open for a clock that cannot be set.
  @Test(
    .disabled(
      if: FileManager.default.fileExists(atPath: "/run/locationd/time"), "the helper of locationd is installed"),
    .timeLimit(.minutes(1)))
  func withoutTheHelperReceiversAreClosed() throws {
    let daemon = try RunningDaemon.listening(
      ["--source", "serial:\(path)"], at: place, environment: ["LOCATIOND_SET_CLOCK": "on"])
    try daemon.awaitLine("The system's clock is not set, although set-clock is on: its helper does not answer")
    try daemon.awaitLine("is closed")
    let status = try CommandRun.run("time", "status", "--json", at: place)
    #expect(status.objects.first?["clock"] as? String == "noHelper", "\(status.errors)")
    #expect((status.objects.first?["receivers"] as? [Any])?.isEmpty == true)
  }
}

/// A chronyd that keeps its hands off the clock, with one reference clock, and its log of samples.
private final class RunningChronyd {
  private let process = Process()
  private let log: URL
  private let lines = PipeLines(patience: 60_000)

  init(in folder: URL, socket: String) throws {
    log = folder.appendingPathComponent("refclocks.log")
    let configuration = folder.appendingPathComponent("chrony.conf")
    try Data(
      """
      refclock SOCK \(socket) refid GNSS poll 2 delay 0.2 precision 1e-3
      port 0
      cmdport 0
      bindcmdaddress \(folder.path)/chronyd.sock
      pidfile \(folder.path)/chronyd.pid
      driftfile \(folder.path)/drift
      logdir \(folder.path)
      log refclocks

      """.utf8
    ).write(to: configuration)
    process.executableURL = URL(fileURLWithPath: chronyd)
    process.arguments = ["-x", "-d"] + (geteuid() == 0 ? ["-u", "root"] : ["-U"]) + ["-f", configuration.path]
    process.standardOutput = lines.pipe
    process.standardError = lines.pipe
    try process.run()
    try lines.processHasBegun()
    // It creates its sockets before it says this.
    _ = awaitLine("Disabled control of system clock")
  }

  deinit { kill() }

  /// Not by SIGTERM, which threads of Swift's concurrency block for their children.
  func kill() {
    if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Reads its messages up to one with this text; `false`: there is none.
  func awaitLine(_ text: String) -> Bool {
    while let line = lines.next() {
      if String(decoding: line, as: UTF8.self).contains(text) { return true }
    }
    return false
  }

  /// The offsets of the samples that were accepted, seconds: waits until there are so many.
  func offsets(atLeast count: Int) -> [Double] {
    var offsets: [Double] = []
    for _ in 0..<600 {
      let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
      // Date, time, name, number (- for a filtered sample), leap, pulse, raw offset, corrected offset, dispersion.
      offsets = text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        return words.count == 9 && words[2] == "GNSS" && words[3] != "-" ? Double(words[6]) : nil
      }
      if offsets.count >= count { return offsets }
      // chronyd reports no sample in any other way.
      Thread.sleep(forTimeInterval: 0.05)
    }
    return offsets
  }
}
