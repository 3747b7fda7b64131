import Geodesy
@testable import Positioning
import TestSupport
import Testing
import WireFormats

struct TileTests {
  private static let day = CalendarDate(daysSince1970: 20_000)

  private func tile(_ places: [AccessPointPosition], in key: TileKey) throws -> AccessPointTile {
    try AccessPointTile(AccessPointTile.encode(places, in: key, on: try #require(Self.day)))
  }

  /// Access points anywhere in a tile, some of which have addresses near the previous one.
  private func randomPlaces(_ count: Int, in key: TileKey, seed: UInt64) throws -> [AccessPointPosition] {
    var random = SplitMix64(seed: seed)
    var places: [AccessPointPosition] = []
    for _ in 0..<count {
      let isSibling = Bool.random(using: &random)
      var address = UInt64.random(in: 0..<(1 << 48), using: &random)
      var cell = TileCell(x: .random(in: 0..<512, using: &random), y: .random(in: 0..<512, using: &random))
      if isSibling, let last = places.last, let there = TileCell(last.coordinate, in: key) {
        address = min(1 << 48 - 1, last.bssid.rawValue + UInt64.random(in: 0..<40, using: &random))
        cell = TileCell(
          x: min(511, max(0, there.x + .random(in: -33...33, using: &random))),
          y: min(511, max(0, there.y + .random(in: -33...33, using: &random))))
      }
      let radius = try #require(RadiusClass(rawValue: .random(in: 0..<16, using: &random))).radius
      places.append(
        AccessPointPosition(
          bssid: try #require(BSSID(rawValue: address)), coordinate: cell.middle(in: key), radius68: radius))
    }
    return places
  }

  @Test(arguments: [0, 1, 2, 3, 17, 400, 5000]) func encodingRoundTrips(count: Int) throws {
    for (row, column) in [(0, 6), (2000, 8015), (3022, 2815), (3999, 3)] {
      let key = try #require(TileKey(row: row, column: column))
      let places = try randomPlaces(count, in: key, seed: UInt64(count + row))
      let tile = try tile(places, in: key)
      #expect(tile.key == key && tile.day == Self.day)
      let read = try tile.places()
      #expect(read.count == tile.count && tile.count == Set(places.map(\.bssid)).count)
      #expect(Set(read).isSubset(of: Set(places)))
      #expect(zip(read, read.dropFirst()).allSatisfy { $0.bssid < $1.bssid })
      let shuffled = try AccessPointTile.encode(places.shuffled(), in: key, on: try #require(Self.day))
      #expect(try AccessPointTile(shuffled).places() == read)
      #expect(try AccessPointTile.encode(read, in: key, on: try #require(Self.day)) == shuffled)
    }
  }

  @Test func looksUpSome() throws {
    let key = try #require(TileKey(row: 3022, column: 2815))
    let places = try randomPlaces(2000, in: key, seed: 9)
    let tile = try tile(places, in: key)
    let all = try tile.places()
    var random = SplitMix64(seed: 10)
    let wanted = all.shuffled(using: &random).prefix(30)
    let unidentified = try (0..<30).map { _ in try #require(BSSID(rawValue: .random(in: 0..<(1 << 48), using: &random)))
    }
    let found = try tile.places(of: wanted.map(\.bssid) + unidentified)
    #expect(found == wanted.sorted { $0.bssid < $1.bssid })
    #expect(try tile.places(of: []) == [])
    #expect(try tile.places(of: unidentified) == [])
  }

  @Test func rareShapesTakeTheirPlace() throws {
    let key = try #require(TileKey(row: 3022, column: 2815))
    let middle = TileCell(x: 256, y: 256).middle(in: key)
    func place(_ address: UInt64, _ radius: Double = 20) throws -> AccessPointPosition {
      AccessPointPosition(bssid: try #require(BSSID(rawValue: address)), coordinate: middle, radius68: Meters(radius))
    }
    let ends = [try place(0), try place(1 << 48 - 1)]
    #expect(try tile(ends, in: key).places() == ends)
    // So similar that they take less than a quarter of a byte each: the tile is padded.
    let alike = try (0..<20_000).map { try place(0x0001_0203_0000 + UInt64($0)) }
    #expect(try tile(alike, in: key).places() == alike)
    // Of several entries with one address, the one with the smallest radius counts.
    #expect(try tile([try place(7, 300), try place(7, 15), try place(7, 90)], in: key).places() == [try place(7, 15)])
    let next = try #require(TileKey(row: 3022, column: 2816))
    #expect(throws: TileEncodingError.outside(ends[0])) { try tile(ends, in: next) }
  }

  /// When it was written, the tile was checked with an independent decoder in another language.
  @Test func theFormatStaysAsItIs() throws {
    let key = try #require(TileKey(row: 3022, column: 2815))
    func place(_ address: String, _ x: Int, _ y: Int, _ radius: Double) throws -> AccessPointPosition {
      AccessPointPosition(
        bssid: try #require(BSSID(address)), coordinate: TileCell(x: x, y: y).middle(in: key), radius68: Meters(radius))
    }
    let places = [
      try place("00:01:e3:0a:f6:33", 100, 200, 20), try place("00:01:e3:0a:f6:34", 103, 199, 20),
      try place("fc:ff:ff:00:00:01", 511, 0, 730),
    ]
    let bytes = try AccessPointTile.encode(places, in: key, on: try #require(Self.day))
    #expect(bytes == Self.golden)
    #expect(try AccessPointTile(bytes).places() == places)
  }

  private static let golden: [UInt8] = [
    // "WTIL", version 1
    87, 84, 73, 76, 1,
    // row 3022, column 2815, day 20,000
    206, 11, 255, 10, 32, 78,
    // three access points
    3, 0, 0, 0,
    // 33 bits of distance to 00:01:e3:0a:f6:33, anywhere: 100, 200, class 3; a neighboring address, three cells east and one
    // south, class 3; 48 bits of distance, anywhere: 511, 0, class 15
    135, 139, 171, 216, 204, 90, 36, 24, 12, 79, 67, 63, 24, 205, 177, 16, 51, 74, 169, 59, 222, 253, 112, 0,
    // CRC-32C
    67, 216, 212, 221,
  ]

  @Test func everyCutAndEveryFlipIsFound() throws {
    let key = try #require(TileKey(row: 3022, column: 2815))
    let bytes = try AccessPointTile.encode(
      try randomPlaces(60, in: key, seed: 4), in: key, on: try #require(Self.day))
    for end in 0..<bytes.count {
      #expect(throws: TileError.self) { try AccessPointTile(Array(bytes[..<end])) }
    }
    #expect(throws: TileError.self) { try AccessPointTile(bytes + [0]) }
    for bit in 0..<(8 * bytes.count) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: TileError.self) { try AccessPointTile(damaged) }
    }
  }

  /// An attacker can compute the correct checksum: the tile is rejected, or its access points are within its edges.
  @Test func whatIsMadeUpStaysWithinBounds() throws {
    let key = try #require(TileKey(row: 3022, column: 2815))
    let bytes = try AccessPointTile.encode(
      try randomPlaces(60, in: key, seed: 4), in: key, on: try #require(Self.day))
    var refused = 0
    for bit in 0..<(8 * bytes.count - 32) {
      var damaged = Array(bytes.dropLast(4))
      damaged[bit / 8] ^= 1 << (bit % 8)
      damaged = AccessPointTile.sealed(damaged)
      do throws(TileError) {
        let tile = try AccessPointTile(damaged)
        let places = try tile.places()
        #expect(places.count == tile.count && places.allSatisfy { TileKey($0.coordinate) == tile.key })
      } catch {
        refused += 1
      }
    }
    #expect(refused > 4 * bytes.count)
  }

  @Test func saysWhatIsWrong() throws {
    let key = try #require(TileKey(row: 3022, column: 2815))
    let bytes = try AccessPointTile.encode([], in: key, on: try #require(Self.day))
    func error(_ bytes: [UInt8]) -> TileError? {
      do throws(TileError) {
        _ = try AccessPointTile(bytes)
        return nil
      } catch {
        return error
      }
    }
    func sealed(_ offset: Int, _ value: UInt8) -> [UInt8] {
      var changed = Array(bytes.dropLast(4))
      changed[offset] = value
      return AccessPointTile.sealed(changed)
    }
    #expect(error([]) == .size(0))
    #expect(error(Array(repeating: 0, count: 40)) == .magic)
    #expect(error(sealed(4, 2)) == .version(2))
    #expect(error(sealed(6, 0xFF)) == .key(row: 0xFFCE, column: 2815))
    #expect(error(sealed(13, 1)) == .count(65_536))
    #expect(error(Array(bytes.dropLast() + [bytes[bytes.count - 1] ^ 1])) != nil)
    // The CRC-32C check value of "123456789" in RFC 3720 and other sources.
    #expect(CRC32C.of("123456789".utf8) == 0xE306_9283)
  }

  @Test(.enabled(if: CityAccessPoints.areThere, "\(CityAccessPoints.whatIsMissing)"))
  func aCityTakesLessThanFiveBytesEach() throws {
    var (bytes, count) = (0, 0)
    for (key, places) in try CityAccessPoints.tiles() {
      let encoded = try AccessPointTile.encode(places, in: key, on: try #require(Self.day))
      bytes += encoded.count
      count += places.count
      let read = Dictionary(uniqueKeysWithValues: try AccessPointTile(encoded).places().map { ($0.bssid, $0) })
      #expect(read.count == places.count)
      for place in places {
        let found = try #require(read[place.bssid])
        #expect(Geodesic.inverse(from: found.coordinate, to: place.coordinate).distance < Meters(6.95))
        #expect((0.86...1.17).contains(found.radius68.value / place.radius68.value))
      }
    }
    #expect(count == 32_117)
    #expect(Double(bytes) / Double(count) <= 4.6)
  }
}
