import Foundation
import TestSupport
import Testing

/// `distance`, `bearing` and `sort` with the real daemon, its regions and its fix.
@Suite struct DistanceTests {
  private let place: RunningDaemon.Place
  private var home: [String: String] { ["HOME": place.folder.path] }

  init() throws { place = try RunningDaemon.Place() }

  private func run(_ arguments: String...) throws -> CommandRun.Result {
    try CommandRun(arguments, at: place, environment: home).finish()
  }

  /// A minute at 47° N 8.5° E, as a receiver reported it.
  private func standing() throws -> String {
    let path = place.folder.appendingPathComponent("standing.nmea").path
    let lines = (0..<60).flatMap { second in
      let time = String(format: "1200%02d.00", second)
      return [
        "GPRMC,\(time),A,4700.00000,N,00830.00000,E,0.0,0.0,011126,,,A",
        "GPGGA,\(time),4700.00000,N,00830.00000,E,1,08,1.0,400.0,M,47.0,M,,",
      ].map { "$\($0)*\(String(format: "%02X", $0.utf8.reduce(0, ^)))\r\n" }
    }
    try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func toTheRegionsOfTheUser() throws {
    let daemon = try RunningDaemon.listening(["--replay", try standing()], at: place, environment: home)
    #expect(try run("region", "add", "lake", "--at", "32TMT 61 94", "--radius", "500").status == 0)
    #expect(
      try run("region", "add", "field", "--polygon", "N46 54 E8 24; N46 54 E8 36; N47 6 E8 36; N47 6 E8 24").status == 0
    )
    // The name is a locator too.
    #expect(try run("region", "add", "JN47", "--at", "0,0").status == 0)

    let outside = try #require(try run("distance", "--from", "46.95,8.5", "--to", "lake").objects.first)
    #expect(outside["region"] as? String == "lake" && outside["inside"] as? Bool == false)
    let (distance, border) = (outside["distance"] as? Double ?? 0, outside["borderDistance"] as? Double ?? 0)
    #expect(distance > 500 && (distance - 500 - border).magnitude < 0.002)

    // From the position of this machine, which the daemon knows: 0.1° of latitude from the border.
    let inside = try #require(try run("bearing", "--to", "field").objects.first)
    #expect(inside["inside"] as? Bool == true)
    #expect((7000...8000).contains(inside["borderDistance"] as? Double ?? 0))
    #expect((inside["accuracy"] as? Double ?? 0) > 0)
    #expect((inside["distance"] as? Double ?? 1e9) < 100)

    #expect(try run("distance", "--from", "1,1", "--to", "JN47").objects.first?["region"] == nil)
    let named = try #require(try run("distance", "--from", "region:JN47", "--to", "region:JN47").objects.first)
    #expect(named["region"] as? String == "JN47" && named["distance"] as? Double == 0)

    let unknown = try run("distance", "--to", "pond")
    #expect(
      unknown.status == 64 && unknown.errors.contains("'pond' is neither a position nor a region"), "\(unknown.errors)")

    let sorted = try CommandRun(
      ["sort", "--nearest", "1"], at: place, environment: home, input: "0,0,far\n47.01,8.5,near\n"
    ).finish()
    #expect(sorted.objects.count == 1 && sorted.objects.first?["name"] as? String == "near", "\(sorted.errors)")
    #expect((1100...1120).contains(sorted.objects.first?["distance"] as? Double ?? 0))
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }
}
