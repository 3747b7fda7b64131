import Foundation
import TestSupport
import Testing

/// Positions by Wi-Fi, from the kernel's messages to the client's, through the real programs; only the radio is recorded.
@Suite(.serialized, .enabled(if: RecordedRadio.isPossible, "needs cc and python3: apt-get install gcc python3"))
struct WiFiTests {
  private let place: RunningDaemon.Place
  private let here = (latitude: 47.28, longitude: 8.56)

  init() throws { place = try RunningDaemon.Place() }

  /// Access points on a circle of 60 m around the machine.
  private var table: String {
    let rows = RecordedRadio.addresses.enumerated().map { number, bssid in
      let angle = 2 * Double.pi * Double(number) / Double(RecordedRadio.addresses.count)
      return "\(bssid),\(here.latitude + 60 * cos(angle) / 111_180),\(here.longitude + 60 * sin(angle) / 75_540)"
    }
    return (["bssid,latitude,longitude"] + rows).joined(separator: "\n") + "\n"
  }

  private func importAll() throws {
    let path = place.folder.appendingPathComponent("places.csv").path
    try Data(table.utf8).write(to: URL(fileURLWithPath: path))
    #expect(try CommandRun.run("wifi", "import", path, at: place).status == 0)
  }

  private func check(_ fix: [String: Any]?) throws {
    let fix = try #require(fix)
    let north = (try #require(fix["latitude"] as? Double) - here.latitude) * 111_180
    let east = (try #require(fix["longitude"] as? Double) - here.longitude) * 75_540
    let error = hypot(north, east)
    let radius = try #require(fix["horizontalAccuracy"] as? Double)
    #expect(error < 40 && error < 3 * radius, "\(error) m off: \(fix)")
    #expect(fix["technologies"] as? [String] == ["wifi"])
  }

  @Test func aPositionOfWhatIsReceivedAndKnown() throws {
    let radio = try RecordedRadio()
    let daemon = try RunningDaemon.listening(["--source", "wifi"], at: place, environment: radio.environment)
    let blind = try CommandRun.run("fix", at: place)
    #expect(
      blind.status == 69 && blind.errors.contains("There is no database of Wi-Fi access points (12 in range)"),
      "\(blind.errors)")
    try importAll()
    try check(CommandRun.run("fix", at: place).objects.first)
    try check(CommandRun.run("wifi", "locate", at: place).objects.first)
    let received = try CommandRun.run("wifi", "scan", at: place).objects
    #expect(received.compactMap { $0["bssid"] as? String } == RecordedRadio.addresses)
    #expect(received.allSatisfy { $0["known"] as? Bool == true })
    // A user without the privilege to scan receives the results of others' scans, and is informed of that.
    let watch = try CommandRun(["watch", "--count", "1"], at: place).finish()
    try check(watch.objects.first)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  /// The same test for a command that hosts the service itself.
  @Test func withoutADaemon() throws {
    let radio = try RecordedRadio()
    try importAll()
    try check(
      CommandRun(["fix", "--source", "wifi"], at: place, environment: radio.environment).finish().objects.first)
  }
}
