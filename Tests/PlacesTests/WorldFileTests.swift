import Geodesy
import PlacesCore
import Testing
import WireFormats

/// Files that were damaged, cut or made by somebody else: an error or an answer, never a trap.
@Suite struct WorldFileTests {
  @Test func readsTheOriginOfTheData() throws {
    let (zoneBytes, townBytes) = (WorldCut.zoneBytes, WorldCut.townBytes)
    let zones = try ZoneMap(zoneBytes.span).file
    #expect(zones.provenance.license == "ODbL-1.0")
    #expect(zones.provenance.attribution.contains("© OpenStreetMap contributors"))
    #expect(zones.provenance.dataDate == "2026-09-10")
    let towns = try TownTable(townBytes.span).file
    #expect(towns.provenance.license == "CC-BY-4.0")
    #expect(towns.provenance.attribution.contains("GeoNames"))
    #expect(Self.isIntact(zones, zoneBytes))
    #expect(Self.isIntact(towns, townBytes))
  }

  private static func isIntact(_ file: WorldFile, _ bytes: [UInt8]) -> Bool { file.isIntact(bytes.span) }

  @Test func rejectsOtherFiles() {
    let townBytes = WorldCut.townBytes
    #expect(throws: WorldFile.Problem.wrongFormat) { _ = try ZoneMap(townBytes.span) }
    #expect(throws: WorldFile.Problem.wrongFormat) { _ = try TownTable(Array("no such file".utf8).span) }
    #expect(throws: WorldFile.Problem.wrongFormat) { _ = try ZoneMap([UInt8]().span) }
    var later = WorldCut.zoneBytes
    later[8] = 2
    #expect(throws: WorldFile.Problem.wrongVersion(2)) { _ = try ZoneMap(later.span) }
  }

  @Test func rejectsFilesThatWereCut() {
    for count in stride(from: 160, to: WorldCut.zoneBytes.count, by: 997) {
      #expect(throws: WorldFile.Problem.self) { _ = try ZoneMap(Array(WorldCut.zoneBytes.prefix(count)).span) }
      #expect(throws: WorldFile.Problem.self) { _ = try TownTable(Array(WorldCut.townBytes.prefix(count)).span) }
    }
  }

  @Test func seesEveryChangedBit() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<50 {
      var bytes = WorldCut.zoneBytes
      bytes[Int.random(in: 160..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let file = try ZoneMap(bytes.span).file
      #expect(!Self.isIntact(file, bytes))
    }
  }

  /// The checksum of the header as an attacker would write it.
  static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let checksum = CRC32C.of(bytes[0..<20] + bytes[24..<160])
    for index in 0..<4 { bytes[20 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(index))) }
    return bytes
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func anyDamageGivesAnAnswerOrAnError(_ seed: UInt64) {
    var random = Seeded(state: seed)
    for original in [WorldCut.zoneBytes, WorldCut.townBytes] {
      var bytes = original
      for _ in 0..<400 {
        bytes[Int.random(in: 24..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      // Half of them with the offsets of the original.
      if seed % 2 == 0 { for index in 0..<160 { bytes[index] = original[index] } }
      bytes = Self.sealed(bytes)
      let zones = try? ZoneMap(bytes.span)
      let towns = try? TownTable(bytes.span)
      let tables = WorldTables(zones: zones, towns: towns)
      for _ in 0..<40 {
        let coordinate = place(Double.random(in: 41...49, using: &random), Double.random(in: 0...12, using: &random))
        _ = tables.place(at: coordinate, bytes.span, bytes.span)
      }
      if let towns {
        for text in ["Vaduz", "Zurich", "Basel, CH", "Andora la Vella"] {
          _ = TownSearch(ForwardQuery(.text(text)), in: towns).run(bytes.span)
        }
        for number in [0, towns.count / 2, towns.count - 1, towns.count] { _ = towns.town(number, in: bytes.span) }
      }
    }
  }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
