import Foundation
import LocationdConfiguration
import LocationdConfigurationFiles
import LocationdService
import Testing

/// The installed file and the manual page describe the settings that exist.
@Suite struct DocumentTests {
  private static let packaging = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/locationd/Packaging")

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.packaging.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func theInstalledFileHasEverySettingWithItsDefault() throws {
    #expect(try text("locationd.conf") == ConfigurationTemplate.text)
    #expect(INIParser.parse(Array(ConfigurationTemplate.text.utf8), path: "/f").assignments.isEmpty)
  }

  /// Without the marks of comments, the file is valid and says what applies anyway.
  @Test func theDefaultsOfTheInstalledFileAreValid() throws {
    let lines = try text("locationd.conf").split(separator: "\n").filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }
    let uncommented = lines.map { $0.dropFirst() }.joined(separator: "\n")
    var layers = ServiceConfiguration.Layers()
    layers.files = [INIParser.parse(Array(uncommented.utf8), path: "/f")]
    let configuration = ServiceConfiguration(layers)
    #expect(configuration.problems == [])
    #expect(SettingKey.allCases.allSatisfy { configuration.entry($0.name)?.value == $0.usualText })
    var expected = ServiceSettings()
    expected.receivers.receivers = configuration.settings.receivers.receivers
    // Named, these are the usual ones.
    (expected.gpsdSocket, expected.agents) = ("/run/gpsd.sock", "/run/location-agent")
    (expected.gpsdListen, expected.nmeaListen) = ([], [])
    #expect(configuration.settings == expected)
  }

  @Test func theManualPageHasEverySettingItsVariableAndItsDefault() throws {
    let page = try text("man/locationd.conf.5")
    let described = page.matches(of: #/(?m)^\.It Cm ([a-z-]+) = /#).map { String($0.1) }
    #expect(described == SettingKey.allCases.map(\.name) + ["id", "port"])
    for key in SettingKey.allCases {
      let start = try #require(page.range(of: "\n.It Cm \(key.name) = "))
      let entry = page[start.upperBound...].prefix { _ in true }
      let end = entry.range(of: "\n.It Cm ")?.lowerBound ?? entry.range(of: "\n.El")?.lowerBound ?? entry.endIndex
      let body = entry[..<end]
      #expect((body + "\n").contains("\n.Pq Ev \(key.variable)\n"), "\(key.name)")
      if let usual = key.usualText { #expect(body.contains("Default: ") && body.contains(usual), "\(key.name)") }
      #expect(body.contains("Needs a restart.") == !key.isAppliedAtRunTime, "\(key.name)")
      #expect(body.contains("For the daemon only.") == key.isOfDaemonAlone, "\(key.name)")
    }
  }
}
