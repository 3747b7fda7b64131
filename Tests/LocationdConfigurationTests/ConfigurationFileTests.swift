import Foundation
import LocationdConfiguration
import LocationdConfigurationFiles
import Testing

/// The form of a file, and which files count.
@Suite struct ConfigurationFileTests {
  private func parse(_ text: String) -> ConfigurationText { INIParser.parse(Array(text.utf8), path: "/f") }

  @Test func commentsBlanksAndSectionsAreThoseOfINI() {
    let text = parse(
      "\u{FEFF}# comment\n; comment\n\n  wifi = off  ; because\r\nwifi-tiles=http://a;b\n\tregions : 5\n[receiver \"roof\"]\nid=a=b\n[locationd]\nled=\n"
    )
    #expect(
      text.assignments == [
        .init(section: "", key: "wifi", value: "off", line: 4),
        .init(section: "", key: "wifi-tiles", value: "http://a;b", line: 5),
        .init(section: "", key: "regions", value: "5", line: 6),
        .init(section: "receiver \"roof\"", key: "id", value: "a=b", line: 8),
        .init(section: "locationd", key: "led", value: "", line: 10),
      ])
    #expect(text.faults.isEmpty)
  }

  @Test func linesThatWouldBeCutAreRefused() {
    let long = String(repeating: "x", count: 300)
    let text = parse("# \(long)\nled = /\(long)\n[receiver \"\(long)\"]\nno assignment\nwifi = off\n[open\n")
    #expect(text.assignments.map(\.key) == ["wifi"])
    #expect(text.faults.map(\.line) == [2, 3, 4, 6])
    #expect(text.faults[0].fault == .lineTooLong(limit: DropInText.longestLine))
    #expect(text.faults[1].fault == .lineTooLong(limit: 51))
    #expect(text.faults[2].fault == .noAssignment && text.faults[3].fault == .noAssignment)
  }

  @Test func bytesThatAreNoTextAreRefused() {
    let text = INIParser.parse([0xFF, 0x3D, 0x41, 0x0A, 0x61, 0x00, 0x3D, 0x41, 0x0A], path: "/f")
    #expect(text.assignments.isEmpty)
    #expect(text.faults.map(\.fault) == [.notText, .notText])
  }

  // MARK: - Drop-ins

  private func folder(_ files: [String: String?]) throws -> URL {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("conf-\(UUID().uuidString)")
    for (name, text) in files {
      let url = root.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      if let text {
        try Data(text.utf8).write(to: url)
      } else {
        try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: "/dev/null")
      }
    }
    return root
  }

  /// As systemd.unit(5) describes drop-ins.
  @Test func dropInsAreReadByNameAndMaskEachOther() throws {
    let root = try folder([
      "etc/locationd.conf": "regions = 1", "etc/locationd.conf.d/20-b.conf": "regions = 20",
      "run/locationd.conf.d/20-b.conf": "regions = 21", "usr/lib/locationd.conf.d/20-b.conf": "regions = 22",
      "run/locationd.conf.d/30-c.conf": "regions = 30", "usr/lib/locationd.conf.d/30-c.conf": "regions = 31",
      "usr/lib/locationd.conf.d/10-a.conf": "regions = 10", "usr/lib/locationd.conf.d/99-z.conf": "regions = 99",
      "etc/locationd.conf.d/99-z.conf": nil, "etc/locationd.conf.d/98-y.conf.bak": "regions = 98",
      "etc/locationd.conf.d/.97.conf": "regions = 97",
    ])
    defer { try? FileManager.default.removeItem(at: root) }
    let files = ConfigurationFiles(root: root.path)
    #expect(
      files.paths.map { $0.dropFirst(root.path.count) } == [
        "/etc/locationd.conf", "/usr/lib/locationd.conf.d/10-a.conf", "/etc/locationd.conf.d/20-b.conf",
        "/run/locationd.conf.d/30-c.conf",
      ])
  }

  @Test func whatIsNoFileIsReportedAndIgnored() throws {
    let root = try folder(["etc/locationd.conf.d/10.conf/inner": "regions = 1"])
    defer { try? FileManager.default.removeItem(at: root) }
    let files = ConfigurationFiles(root: root.path)
    let faults = files.paths.flatMap { ConfigurationFiles.text($0).faults }
    #expect(faults.count == 1)
    if case .unreadable? = faults.first?.fault {} else { Issue.record("\(faults)") }
  }

  @Test func theOwnDropInKeepsWhatItHasAndGoesWhenItIsEmpty() throws {
    let root = try folder([:])
    defer { try? FileManager.default.removeItem(at: root) }
    let files = ConfigurationFiles(root: root.path)
    var text = try files.ownDropIn
    text.set("receiver.roof.port", to: "/dev/ttyS0")
    text.set("wifi", to: "off")
    try files.write(text)
    let attributes = try FileManager.default.attributesOfItem(atPath: files.dropIn)
    #expect(attributes[.posixPermissions] as? Int == 0o644)
    #expect(
      try String(contentsOfFile: files.dropIn, encoding: .utf8)
        == "# Written by 'locationctl config set'. Files with a later name take precedence.\nwifi = off\n\n[receiver \"roof\"]\nport = /dev/ttyS0\n"
    )
    var again = try files.ownDropIn
    #expect(again == text)
    #expect(again.unset("regions") == false)
    #expect(again.unset("wifi") && again.unset("receiver.roof.port"))
    try files.write(again)
    #expect(!FileManager.default.fileExists(atPath: files.dropIn))
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.path + "/etc/locationd.conf.d") == [])
  }

  /// What a person or another program has written stays, byte for byte.
  @Test func aChangeLeavesOtherLinesAsTheyAre() throws {
    let root = try folder([
      "etc/locationd.conf.d/90-locationctl.conf":
        "# my machine\n\n; off at night\nwifi = on  ; for now\nfuture-setting = 5\n[receiver \"roof\"]\n# east\nport = /dev/ttyS0\nspeed = 1\n\n"
        + "[receiver cabin]\nid = a\n\n[other]\nwifi = x\nnonsense\n"
    ])
    defer { try? FileManager.default.removeItem(at: root) }
    let files = ConfigurationFiles(root: root.path)
    var text = try files.ownDropIn
    text.set("wifi", to: "off")
    text.set("log-level", to: "debug")
    text.set("receiver.roof.id", to: "b")
    let isUnset = text.unset("receiver.cabin.id")
    #expect(isUnset)
    try files.write(text)
    #expect(
      try String(contentsOfFile: files.dropIn, encoding: .utf8)
        == "# my machine\n\n; off at night\nwifi = off ; for now\nlog-level = debug\nfuture-setting = 5\n[receiver \"roof\"]\n# east\nport = /dev/ttyS0\nid = b\n"
        + "speed = 1\n\n[other]\nwifi = x\nnonsense\n")
    let configuration = files.load()
    #expect(configuration.entry("wifi")?.value == "off" && configuration.entry("log-level")?.value == "debug")
    // Comments alone are worth a file.
    var rest = try files.ownDropIn
    let areUnset = [rest.unset("wifi"), rest.unset("log-level"), rest.unset("receiver.roof.id")]
    #expect(areUnset == [true, true, true] && !rest.isEmpty)
  }

  /// A new setting of the service never gets into a section, and a byte order mark never into the middle of a file.
  @Test(arguments: [
    ("[receiver \"roof\"]\nport = /dev/a\n", "regions = 5\n[receiver \"roof\"]\nport = /dev/a\n"),
    ("\u{FEFF}# of the roof\n[receiver \"roof\"]\n", "regions = 5\n# of the roof\n[receiver \"roof\"]\n"),
    ("# mine\n\n[other]", "# mine\nregions = 5\n\n[other]\n"),
    ("[locationd]\nwifi = on\n[x]", "[locationd]\nwifi = on\nregions = 5\n[x]\n"),
    ("regions = 1\nregions = 2\n", "regions = 1\nregions = 5\n"),
    ("regions=1 ;\(String(repeating: "c", count: 186))", ";\(String(repeating: "c", count: 186))\nregions = 5\n"),
  ]) func aSettingGetsItsPlace(before: String, after: String) {
    var text = DropInText(Array(before.utf8), parse(before))
    text.set("regions", to: "5")
    #expect(String(decoding: text.bytes, as: UTF8.self) == after)
    var layers = ServiceConfiguration.Layers()
    layers.files = [INIParser.parse(text.bytes, path: "/f")]
    #expect(ServiceConfiguration(layers).entry("regions")?.value == "5")
  }

  @Test func aLinkAndAFileThatCannotBeReadAreLeftAlone() throws {
    let root = try folder(["etc/locationd.conf.d/90-locationctl.conf": nil])
    defer { try? FileManager.default.removeItem(at: root) }
    let files = ConfigurationFiles(root: root.path)
    #expect(throws: DropInFailure.isLink(to: "/dev/null")) { try files.ownDropIn }
    #expect(throws: DropInFailure.isLink(to: "/dev/null")) { try files.write(DropInText()) }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: files.dropIn) == "/dev/null")
    let other = try folder(["etc/locationd.conf.d/90-locationctl.conf/inner": "a"])
    defer { try? FileManager.default.removeItem(at: other) }
    #expect(throws: DropInFailure.self) { try ConfigurationFiles(root: other.path).ownDropIn }
  }

  @Test(arguments: [
    ("wifi", "perhaps"), ("wfi", "off"), ("regions", "0"), ("led", "relative"), ("prefer", "roof"), ("source", "roof"),
    ("wifi", "off\nregions = 1"), ("led", "/a ; b"), ("receiver.auto.id", "a"), ("receiver.roof.speed", "1"),
    ("wifi-tiles", "/" + String(repeating: "x", count: 200)), ("led", ""), ("log-level", "verbose"),
  ]) func setRefusesWhatIsNotValid(key: String, value: String) {
    #expect(throws: SettingRefusal.self) { try DropInText.check(key, value, receivers: []) }
  }

  /// The value is shown, without a password; the key stands where the reason itself shows the value.
  @Test(arguments: [
    ("source", "banana", "'banana' is not a source: use "),
    ("wifi", "perhaps", "'perhaps' is neither on nor off: use on or off."),
    ("log-level", "loud", "'loud' is not a level: use "),
    ("led", "relative", "'relative' is not an absolute path: use one that begins with /."),
    ("led", "/a ; b", "led cannot have the value '/a ; b' in a file: "),
    ("prefer", "roof", "prefer names 'roof', which "),
    ("source", "", "The value of source is empty: give a value, or remove the setting with 'config unset'."),
    ("receiver.roof.port", "ttyS0", "'ttyS0' is not an absolute path: "),
    ("wifi-provider", "secret", "wifi-provider is not an http or https address"),
  ]) func aRefusalShowsTheValue(key: String, value: String, beginning: String) {
    #expect {
      try DropInText.check(key, value, receivers: [])
    } throws: { error in
      (error as? SettingRefusal)?.sentence.hasPrefix(beginning) == true
    }
  }

  /// Every value that `set` accepts is read again as it is.
  @Test(arguments: [
    ("wifi", "off"), ("source", "serial:/dev/ttyS0@9600"), ("wifi-provider", "https://a/b?key=1;2"),
    ("receiver.roof.id", "usb-1546-01a7-1"), ("gpsd", "[::1]:2947"), ("failover-after", "1m30s"),
  ]) func whatSetAcceptsIsReadAgain(key: String, value: String) throws {
    try DropInText.check(key, value, receivers: [])
    var text = DropInText()
    text.set(key, to: value)
    var layers = ServiceConfiguration.Layers()
    layers.files = [INIParser.parse(text.bytes, path: "/f")]
    let configuration = ServiceConfiguration(layers)
    #expect(configuration.problems == [])
    #expect(configuration.entry(key)?.value == value)
  }
}
