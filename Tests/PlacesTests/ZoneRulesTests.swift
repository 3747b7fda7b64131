import Foundation
import PlacesCore
import Testing

/// Local times, compared with the C library's.
@Suite struct ZoneRulesTests {
  private static func parsed(_ bytes: [UInt8]) -> ZoneRules? { ZoneRules(bytes.span) }

  private func rules(_ zone: String) throws -> ZoneRules {
    let data = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(zone)"))
    return try #require(Self.parsed(Array(data)))
  }

  @Test(arguments: [
    "Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia", "Etc/GMT+5",
    "Africa/Casablanca", "Asia/Hebron", "Europe/Dublin", "America/Nuuk",
  ])
  func agreesWithFoundation(_ name: String) throws {
    let rules = try rules(name)
    let zone = try #require(TimeZone(identifier: name))
    var random = Seeded(state: 9)
    for _ in 0..<200 {
      // 1971 to 2037.
      let time = Int64.random(in: 31_536_000...2_114_380_800, using: &random)
      #expect(rules.localTime(at: time).offset == zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time))))
    }
  }

  @Test func namesTheTimeAndItsNextChange() throws {
    let zurich = try rules("Europe/Zurich")
    // 2026-07-01 and 2026-12-01, 12:00 UTC.
    #expect(
      zurich.localTime(at: 1_782_907_200) == ZoneRules.LocalTime(offset: 7200, isDaylight: true, abbreviation: "CEST"))
    #expect(
      zurich.localTime(at: 1_796_126_400) == ZoneRules.LocalTime(offset: 3600, isDaylight: false, abbreviation: "CET"))
    // 2026-10-25 01:00 UTC, and by the rule of the footer 2100-03-28 01:00 UTC.
    #expect(zurich.nextTransition(after: 1_782_907_200) == 1_792_890_000)
    #expect(zurich.nextTransition(after: 4_102_444_800) == 4_109_878_800)
    #expect(try rules("Etc/UTC").nextTransition(after: 1_782_907_200) == nil)
  }

  @Test func rejectsWhatIsNoFileOfTheDatabase() throws {
    #expect(Self.parsed([]) == nil)
    #expect(Self.parsed(Array("TZif".utf8)) == nil)
    let data = Array(try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Zurich")))
    for count in 0..<min(data.count, 400) { _ = ZoneRules(Array(data.prefix(count)).span) }
    var random = Seeded(state: 4)
    for _ in 0..<500 {
      var bytes = data
      for _ in 0..<8 {
        bytes[Int.random(in: 5..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = ZoneRules(bytes.span)?.localTime(at: 1_782_907_200)
      _ = ZoneRules(bytes.span)?.nextTransition(after: 1_782_907_200)
    }
  }
}
