import Foundation
import LocationIPC
import LocationPolicy
import TestSupport
import Testing

/// The settings of a real daemon, from its own configuration folder, and `locationctl config`.
@Suite(.serialized) struct ConfigurationTests {
  private let place: RunningDaemon.Place

  init() throws {
    place = try RunningDaemon.Place()
    place.debugging = ""
  }

  private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandRun.Result {
    try CommandRun(arguments, at: place, environment: environment).finish()
  }

  private func end(_ daemon: RunningDaemon) -> [String] {
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    return daemon.rest()
  }

  private func update(_ client: RawClient) throws {
    while let event = try client.nextEvent() {
      if case .update = event { return }
    }
    throw RawClient.NoAnswer()
  }

  // MARK: - Start

  @Test func theFileNamesTheSource() throws {
    try place.configure("source = simulator\nlog-level = notice\n")
    let daemon = try RunningDaemon.listening([], at: place)
    #expect(try run("fix").objects.first?["simulated"] as? Bool == true)
    let lines = end(daemon)
    // Ports and clients are below the level.
    #expect(!lines.contains { $0.contains("is open") || $0.contains("connected") }, "\(lines)")
    #expect(lines.contains { $0.contains("Stopped.") }, "\(lines)")
  }

  /// A typing error must not take the position away.
  @Test func typingErrorsAreWarningsWithASuggestion() throws {
    try place.configure("surce = simulator\nregions = many\n[recever \"roof\"]\nid = a\n")
    let daemon = try RunningDaemon(
      [], at: place, environment: ["LOCATIOND_SUORCE": "simulator", "LOCATIOND_SOURCE": "usb"])
    // The order is that of the files and the environment.
    var lines: [String] = []
    while !lines.contains(where: { $0.contains("Listening") }) { lines.append(try daemon.awaitLine("locationd: ")) }
    for text in [
      "there is no section [recever \"roof\"]: did you mean [receiver \"roof\"]?",
      "line 1: there is no setting 'surce': did you mean 'source'?", "line 2: regions is not a number",
      "LOCATIOND_SOURCE is not a source, and is ignored: use auto, gpsd[:HOST[:PORT]], serial:PATH[@BAUD], tcp://HOST:PORT, tcp-listen://ADDRESS:PORT?from=RANGE",
      "There is no variable LOCATIOND_SUORCE: did you mean LOCATIOND_SOURCE?", "source of location: auto",
    ] {
      #expect(lines.count { $0.contains(text) } == 1, "\(text): \(lines)")
    }
    _ = end(daemon)
    let doctor = try run("doctor", "--source", "simulator", "--duration", "5")
    let findings = doctor.objects.compactMap { $0["finding"] as? String }
    #expect(findings.contains("setting-unknown") && findings.contains("setting-invalid"), "\(doctor.text)")
    #expect(doctor.status == 65)
  }

  /// Options are refused, because somebody has just typed them; the sources that are listed include Wi-Fi (B16).
  @Test(arguments: [
    (["--source", "usb"], "wifi, simulator"), (["--log-level", "loud"], "error, warning, notice, info or debug"),
    (["--source", "auto", "--source", "wifi"], "use --source or --replay only once"),
    (["--log-level", "info", "--log-level", "debug"], "use --log-level only once"), (["--log-level"], "is missing"),
  ]) func optionsThatAreNotValidEndIt(arguments: [String], text: String) throws {
    let daemon = try RunningDaemon(arguments, at: place)
    #expect(daemon.end() == 64)
    let lines = daemon.rest()
    #expect(lines.contains { $0.contains(text) }, "\(lines)")
  }

  @Test func clientsAreLoggedAtDebugOnly() throws {
    for (arguments, isLogged) in [([], false), (["--log-level", "debug"], true)] as [([String], Bool)] {
      let daemon = try RunningDaemon.listening(["--source", "simulator"] + arguments, at: place)
      _ = try RawClient.greeted(place, name: "visitor-of-tests")
      let lines = end(daemon)
      #expect(lines.contains { $0.contains("visitor-of-tests") } == isLogged, "\(lines)")
    }
  }

  // MARK: - Reload

  @Test func aReloadAppliesChangesAndKeepsTheClients() throws {
    let daemon = try RunningDaemon.listening(at: place)
    let client = try RawClient.greeted(place, name: "first")
    client.send(.request(.startUpdates(RequestID(1), UpdateOptions())))
    try update(client)
    try place.configure("log-level = debug\nwifi = off\nregions = 7\nprefer = nobody\n")
    try place.configure("[receiver \"sim\"]\nid = simulator\n", in: "etc/locationd.conf.d/10.conf")
    daemon.send(SIGHUP)
    let line = try daemon.awaitLine("Reloaded the settings and the state folder:")
    #expect(line.contains("wifi is off, log-level is debug, receiver sim is simulator."), "\(line)")
    #expect(try daemon.awaitLine("Restart locationd").contains("to apply the changed settings: regions."))
    try daemon.awaitLine("prefer names 'nobody', which is not a configured receiver")
    // The stream continues on the same connection, and the new level applies to the next client.
    for _ in 0..<2 { try update(client) }
    let devices = try run("devices", "--listen", "0")
    #expect(devices.objects.first?["receiver"] as? String == "sim", "\(devices.text)\(devices.errors)")
    try daemon.awaitLine("Client locationctl")
    daemon.send(SIGHUP)
    #expect(try daemon.awaitLine("Reloaded").contains("no setting has changed"))
    try daemon.awaitLine("Restart locationd")
    _ = end(daemon)
  }

  /// What cannot be read may be what switches something off: the defaults must not take its place.
  @Test(arguments: ["unreadable", "no assignment", "folder"]) func aReloadThatFailsKeepsTheSettings(fault: String)
    throws
  {
    try place.configure("wifi = off\nlog-level = debug\n[receiver \"sim\"]\nid = simulator\n")
    let daemon = try RunningDaemon.listening(at: place)
    let file = place.configuration.appendingPathComponent("etc/locationd.conf")
    switch fault {
    case "unreadable":
      // A folder in its place: the tests may run as root, who can read every file.
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    case "no assignment": try place.configure("wifi off\n")
    default:
      let link = place.configuration.appendingPathComponent("etc/locationd.conf.d").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
    }
    daemon.send(SIGHUP)
    try daemon.awaitLine("The settings were not reloaded, because the configuration cannot be read")
    try daemon.awaitLine("a reload leaves all settings unchanged")
    let status = try #require(try run("status", "--json").objects.first)
    #expect((status["wifi"] as? [String: Any])?["state"] as? String == "off", "\(status)")
    #expect(try run("devices", "--listen", "0").objects.first?["receiver"] as? String == "sim")
    // The next client has a line, as at log-level debug.
    try daemon.awaitLine("Client locationctl")
    let check = try run("config", "check")
    #expect(check.status == 65 && check.objects.contains { $0["problem"] as? String == "unreadable" }, "\(check.text)")
    if fault != "folder" {
      let set = try run("config", "set", "failover-after", "5s")
      #expect(set.status == 0 && set.errors.contains("does not apply it until it can read all files"), "\(set.errors)")
    }
    // Corrected, the file counts again.
    if fault == "unreadable" { try FileManager.default.removeItem(at: file) }
    if fault == "folder" {
      try FileManager.default.removeItem(at: place.configuration.appendingPathComponent("etc/locationd.conf.d"))
    }
    try place.configure("wifi = on\n")
    daemon.send(SIGHUP)
    #expect(try daemon.awaitLine("Reloaded the settings").contains("wifi is on"))
    _ = end(daemon)
  }

  // MARK: - Commands

  @Test func setLeavesALinkAlone() throws {
    let target = place.folder.appendingPathComponent("mine.conf")
    try Data("# mine\n".utf8).write(to: target)
    try place.configure("", in: "etc/locationd.conf")
    let folder = place.configuration.appendingPathComponent("etc/locationd.conf.d")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let link = folder.appendingPathComponent("90-locationctl.conf").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target.path)
    for arguments in [["set", "wifi", "off"], ["unset", "wifi"]] {
      let refused = try CommandRun(["config"] + arguments, at: place).finish()
      #expect(
        refused.status == 73 && refused.errors.contains("is a symbolic link to \(target.path)"), "\(refused.errors)")
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target.path)
    #expect(try String(contentsOf: target, encoding: .utf8) == "# mine\n")
  }

  @Test func wifiMessagesNameTheOrigin() throws {
    try place.configure("wifi = off\n")
    let file = place.configuration.path + "/etc/locationd.conf"
    let daemon = try RunningDaemon.listening(at: place)
    for arguments in [["wifi", "scan"], ["fix", "--source", "wifi"]] {
      let run = try CommandRun(arguments, at: place).finish()
      #expect(run.status == 69, "\(run.text)")
      #expect(run.errors.contains("Wi-Fi positioning is off (wifi = off, \(file):1)"), "\(run.errors)")
    }
    #expect(try run("status", "--text").text.contains("wifi = off, \(file):1"))
    _ = end(daemon)
    try place.configure("\nwifi-provider = beacondb\n")
    let other = try RunningDaemon.listening(["--source", "wifi"], at: place)
    let learned = try run("wifi", "learned", "--text").text
    #expect(learned.contains("Provider: wifi-provider (\(file):2): "), "\(learned)")
    _ = end(other)
  }

  @Test func setIsAppliedAtOnceAndUnsetUndoesIt() throws {
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try run("config", "set", "wifi", "off").status == 0)
    try daemon.awaitLine("wifi is off")
    let entry = try #require(try run("config", "get", "wifi").objects.first)
    let file = place.configuration.path + "/etc/locationd.conf.d/90-locationctl.conf"
    #expect(entry["value"] as? String == "off" && entry["origin"] as? String == "file")
    #expect(entry["file"] as? String == file && entry["default"] as? String == "on")
    #expect(try run("config", "unset", "wifi").status == 0)
    try daemon.awaitLine("wifi is on")
    #expect(!FileManager.default.fileExists(atPath: file))
    let again = try run("config", "unset", "wifi")
    #expect(again.status == 64 && again.errors.contains("was not set"), "\(again.errors)")
    // What takes precedence is named.
    let shadowed = try run("config", "set", "regions", "5", environment: ["LOCATIOND_REGIONS": "6"])
    #expect(
      shadowed.status == 0 && shadowed.errors.contains("LOCATIOND_REGIONS takes precedence"), "\(shadowed.errors)")
    _ = end(daemon)
  }

  @Test func setRefusesAndWritesNothing() throws {
    for (arguments, text) in [
      (["wfi", "off"], "did you mean 'wifi'?"), (["wifi", "perhaps"], "use on or off"),
      (["source", "roof"], "simulator or the name of a configured receiver"), (["regions", "0"], "between 1 and"),
    ] {
      let refused = try CommandRun(["config", "set"] + arguments, at: place).finish()
      #expect(refused.status == 64 && refused.errors.contains(text), "\(arguments): \(refused.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: place.configuration.path + "/etc"))
  }

  @Test func getShowsAllSettingsWithTheirOrigins() throws {
    try place.configure("# mine\nwifi = off\n[receiver \"roof\"]\nport = /dev/ttyS0\n")
    try place.configure("LOCATIOND_LED=/sys/class/leds/ACT\n", in: "etc/default/locationd")
    let table = try run("config", "get", "--origin", "--text")
    let lines = table.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.first == ["KEY", "VALUE", "ORIGIN"])
    let root = place.configuration.path
    #expect(lines.contains(["wifi", "off", "\(root)/etc/locationd.conf:2"]), "\(table.text)")
    #expect(
      lines.contains(["led", "/sys/class/leds/ACT", "\(root)/etc/default/locationd:1", "(LOCATIOND_LED)"]),
      "\(table.text)")
    #expect(lines.contains(["gpsd", "off", "LOCATIOND_GPSD"]), "\(table.text)")
    #expect(lines.contains(["regions", "1000000", "default"]), "\(table.text)")
    #expect(lines.contains(["receiver.roof.port", "/dev/ttyS0", "\(root)/etc/locationd.conf:4"]), "\(table.text)")
    #expect(try run("config", "get", "regions", "--text").text == "1000000\n")
    #expect(try run("config", "get", "rgions").errors.contains("did you mean 'regions'?"))
    let doctor = try run("doctor", "--source", "simulator", "--duration", "5")
    #expect(doctor.objects.contains { $0["finding"] as? String == "settings-file-old" }, "\(doctor.text)")
  }

  @Test func checkReportsOneFileOrAll() throws {
    try place.configure("wifi = off\n[receiver roof]\nid = a\n")
    #expect(try run("config", "check").status == 0)
    let other = place.folder.appendingPathComponent("new.conf").path
    try Data("prefer = roof\nwfi = off\n".utf8).write(to: URL(fileURLWithPath: other))
    let checked = try run("config", "check", other)
    #expect(checked.status == 65 && checked.objects.count == 1, "\(checked.text)")
    let problem = try #require(checked.objects.first)
    #expect(problem["suggestion"] as? String == "wifi" && problem["line"] as? Int == 2)
    #expect(problem["problem"] as? String == "unknown" && problem["file"] as? String == other)
    #expect(try run("config", "check", other + ".none").status == 65)
    let folder = try run("config", "check", "/")
    #expect(folder.status == 65 && folder.errors.contains("/ is a folder: specify a file"), "\(folder.errors)")
    try place.configure("nonsense\n")
    #expect(try run("config", "check", "--text").text.contains("this is not 'key = value'"))
  }

  // MARK: - Receivers with names

  @Test func aNamedReceiverIsASource() throws {
    let receiver = try HelperProcess("simulated-ublox", ["ublox8", "hot"], environment: [:])
    let path = try #require(receiver.next().map { String(decoding: $0, as: UTF8.self) })
    try place.configure("wifi = off\n[receiver \"roof\"]\nport = \(path)\n")
    // Without a daemon, then with one that has it among others, then with one that has it alone.
    let alone = try run("fix", "--source", "roof")
    #expect(alone.objects.first?["device"] as? String == path, "\(alone.errors)")
    for source in ["auto", "roof"] {
      let daemon = try RunningDaemon.listening(["--source", source], at: place)
      let fix = try run("fix", "--source", "roof", "--max-age", "0")
      #expect(fix.objects.first?["device"] as? String == path, "\(source): \(fix.errors)")
      let devices = try run("devices", "--listen", "0").objects
      #expect(
        devices.first { $0["path"] as? String == path }?["receiver"] as? String == "roof", "\(source): \(devices)")
      let status = try run("status", "--text").text
      #expect(status.contains("roof (\(path))"), "\(status)")
      _ = end(daemon)
    }
    let near = try run("fix", "--source", "rof")
    #expect(near.status == 64 && near.errors.contains("did you mean 'roof'?"), "\(near.errors)")
  }
}
