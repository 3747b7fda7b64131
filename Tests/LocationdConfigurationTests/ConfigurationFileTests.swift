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
    var text = files.ownDropIn
    text.set("receiver.roof.port", to: "/dev/ttyS0")
    text.set("wifi", to: "off")
    try files.write(text)
    let attributes = try FileManager.default.attributesOfItem(atPath: files.dropIn)
    #expect(attributes[.posixPermissions] as? Int == 0o644)
    #expect(
      try String(contentsOfFile: files.dropIn, encoding: .utf8)
        == "# Written by 'locationctl config set'. Files with a later name take precedence.\nwifi = off\n\n[receiver \"roof\"]\nport = /dev/ttyS0\n"
    )
    var again = files.ownDropIn
    #expect(again == text)
    #expect(again.unset("regions") == false)
    #expect(again.unset("wifi") && again.unset("receiver.roof.port"))
    try files.write(again)
    #expect(!FileManager.default.fileExists(atPath: files.dropIn))
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.path + "/etc/locationd.conf.d") == [])
  }

  @Test(arguments: [
    ("wifi", "perhaps"), ("wfi", "off"), ("regions", "0"), ("led", "relative"), ("prefer", "roof"), ("source", "roof"),
    ("wifi", "off\nregions = 1"), ("led", "/a ; b"), ("receiver.auto.id", "a"), ("receiver.roof.speed", "1"),
    ("wifi-tiles", "/" + String(repeating: "x", count: 200)), ("led", ""), ("log-level", "verbose"),
  ]) func setRefusesWhatIsNotValid(key: String, value: String) {
    #expect(throws: SettingRefusal.self) { try DropInText.check(key, value, receivers: []) }
  }

  /// Every value that `set` accepts is read again as it is.
  @Test(arguments: [
    ("wifi", "off"), ("source", "serial:/dev/ttyS0@9600"), ("wifi-provider", "https://a/b?key=1;2"),
    ("receiver.roof.id", "usb-1546-01a7-1"), ("gpsd", "[::1]:2947"), ("failover-after", "1m30s"),
  ]) func whatSetAcceptsIsReadAgain(key: String, value: String) throws {
    try DropInText.check(key, value, receivers: [])
    var text = DropInText(nil)
    text.set(key, to: value)
    var layers = ServiceConfiguration.Layers()
    layers.files = [parse(text.text)]
    let configuration = ServiceConfiguration(layers)
    #expect(configuration.problems == [])
    #expect(configuration.entry(key)?.value == value)
  }
}
