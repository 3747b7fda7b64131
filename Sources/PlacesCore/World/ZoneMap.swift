package import Geodesy

/// The time zones of the world: `world.zones`.
///
/// A grid of whole degrees leads to a zone, or to a quadtree whose leaves hold the borders in them. A leaf knows which zones
/// contain its south-western corner. Every border on the ray from the position to the west changes the zones it belongs to; of
/// those that remain, the first one answers, because zones overlap where two countries claim an area.
package struct ZoneMap: Sendable {
  /// An entry of the grid or of a node: its kind is in the two highest bits.
  private enum Entry {
    static let node = 1
    static let leaf = 2
    static let absent = 3
  }

  /// The units of a degree in which a position is looked up.
  private static let scale = 24
  /// More levels than any file has, and more zones: the tz database has about 600 names.
  private static let mostLevels = 8
  private static let mostZones = 4096

  package let file: WorldFile
  /// The number of zones.
  package let count: Int
  private let table: Range<Int>
  /// The names of the zones; empty if the file is damaged. Made once: to make one takes ten times as long as to find the zone.
  private let names: [String]
  private let grid: Range<Int>
  private let nodes: Range<Int>
  private let leaves: Range<Int>
  private let firstColumn: Int
  private let columns: Int
  private let firstRow: Int
  private let rows: Int

  /// Reads the header of the file.
  package init(_ bytes: Span<UInt8>) throws(WorldFile.Problem) {
    file = try WorldFile(bytes, magic: "LOCZONES")
    (table, grid, nodes, leaves) = (file[0], file[3], file[4], file[5])
    count = table.count / 8
    guard count <= Self.mostZones else { throw .damaged("zones") }
    var names: [String] = []
    names.reserveCapacity(count)
    for zone in 0..<count {
      let at = file[0].lowerBound + 8 * zone
      let start = file[1].lowerBound + bytes.u16(at)
      let name = bytes.text(in: start..<start + Int(bytes[at + 2]), before: file[1].upperBound) ?? ""
      names.append(Self.isName(name) ? name : "")
    }
    self.names = names
    guard file[2].count == 8 else { throw .damaged("bounds") }
    let box = file[2].lowerBound
    (firstColumn, columns) = (bytes.u16(box), bytes.u16(box + 2))
    (firstRow, rows) = (bytes.u16(box + 4), bytes.u16(box + 6))
    guard firstColumn + columns <= 360, firstRow + rows <= 180, grid.count == 4 * columns * rows else {
      throw .damaged("grid")
    }
  }

  /// The number of the zone at a position; `nil` outside the area of the file.
  package func zone(at coordinate: Coordinate, in bytes: Span<UInt8>) -> Int? {
    guard file.isOf(bytes) else { return nil }
    let unit = Double(1 << Self.scale)
    // The meridian of 180° has one zone, whichever way it is written.
    let longitude = coordinate.longitude.degrees == -180 ? 180 : coordinate.longitude.degrees
    let (east, north) = ((longitude + 180) * unit, (coordinate.latitude.degrees + 90) * unit)
    // Also false for values that are not numbers.
    guard east >= 0, east <= 360 * unit, north >= 0, north <= 180 * unit else { return nil }
    let x = min(Int(east), 360 << Self.scale - 1)
    let y = min(Int(north), 180 << Self.scale - 1)
    let (column, row) = (x >> Self.scale - firstColumn, y >> Self.scale - firstRow)
    guard column >= 0, column < columns, row >= 0, row < rows else { return nil }
    var entry = bytes.u32(grid.lowerBound + 4 * (row * columns + column))
    for level in 0...Self.mostLevels {
      let value = entry & 0x3FFF_FFFF
      switch entry >> 30 {
      case Entry.node:
        let bit = Self.scale - 1 - level
        let child = (x >> bit & 1) | (y >> bit & 1) << 1
        let at = nodes.lowerBound + 16 * value + 4 * child
        guard at + 4 <= nodes.upperBound else { return nil }
        entry = bytes.u32(at)
      case Entry.leaf:
        let shift = Self.scale - 16 - level
        return zone(inLeaf: value, x: x >> shift & 0xFFFF, y: min(y >> shift & 0xFFFF, 0xFFFE), bytes)
      case Entry.absent: return nil
      default: return value < count ? value : nil
      }
    }
    return nil
  }

  /// The zone at a position in a leaf, in units of 1/65536 of its side. The position is half a unit north-east of its numbers, so
  /// that no vertex lies on the ray.
  private func zone(inLeaf offset: Int, x: Int, y: Int, _ bytes: Span<UInt8>) -> Int? {
    var position = leaves.lowerBound + 2 * offset
    let end = leaves.upperBound
    guard position + 4 <= end else { return nil }
    let head = bytes.u16(position)
    let zones = position + 4
    var inside = bytes.u16(position + 2)
    position = zones + 2 * (head & 15)
    for _ in 0..<head >> 4 {
      guard position + 4 <= end else { return nil }
      let (vertices, mask) = (bytes.u16(position), bytes.u16(position + 2))
      position += 4
      guard vertices > 0, position + 4 * vertices <= end else { return nil }
      if Self.isCrossedOddly(bytes.extracting(position..<position + 4 * vertices), x: x, y: y) { inside ^= mask }
      position += 4 * vertices
    }
    let first = inside == 0 ? 0 : inside.trailingZeroBitCount
    guard first < head & 15, zones + 2 * first + 2 <= end else { return nil }
    let zone = bytes.u16(zones + 2 * first)
    return zone < count ? zone : nil
  }

  /// Whether the ray to the west meets a border an odd number of times. The bytes are its vertices, x and y of two bytes each.
  private static func isCrossedOddly(_ vertices: Span<UInt8>, x: Int, y: Int) -> Bool {
    var isOdd = false
    var (x1, y1) = (vertices.u16(0), vertices.u16(2))
    var next = 4
    while next < vertices.count {
      let (x2, y2) = (vertices.u16(next), vertices.u16(next &+ 2))
      if (y1 > y) != (y2 > y) {
        let (width, height) = (x2 &- x1, y2 &- y1)
        let (east, north) = (2 &* (x &- x1) &+ 1, 2 &* (y &- y1) &+ 1)
        let isWest = height > 0 ? north &* width < east &* height : north &* width > east &* height
        if isWest { isOdd.toggle() }
      }
      (x1, y1) = (x2, y2)
      next &+= 4
    }
    return isOdd
  }

  /// The name of a zone in the tz database; `nil` if the file is damaged.
  package func name(of zone: Int, in bytes: Span<UInt8>) -> String? {
    guard zone >= 0, zone < count, file.isOf(bytes), !names[zone].isEmpty else { return nil }
    return names[zone]
  }

  /// A name is part of a path and of commands: letters, digits and `_+-/`, and no part that begins with a period.
  package static func isName(_ name: String) -> Bool {
    var last = UInt8(ascii: "/")
    for byte in name.utf8 {
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      let isMark = byte == UInt8(ascii: "_") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      // A part between slashes is not empty.
      guard isLetter || isDigit || isMark || (byte == UInt8(ascii: "/") && last != byte) else { return false }
      last = byte
    }
    return !name.isEmpty
  }

  /// The countries in a zone by ISO 3166-1 alpha-2, at most two; none at sea. Where there are two, the nearest town decides.
  package func countries(of zone: Int, in bytes: Span<UInt8>) -> [String] {
    guard zone >= 0, zone < count, file.isOf(bytes) else { return [] }
    let at = table.lowerBound + 8 * zone
    return (0..<min(Int(bytes[at + 3]), 2)).compactMap { bytes.country(at: at + 4 + 2 * $0) }
  }
}

extension Span<UInt8> {
  /// A country code of two capitals; the caller has checked the range.
  func country(at position: Int) -> String? {
    let letters = [self[position], self[position + 1]]
    guard letters.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { return nil }
    return String(decoding: letters, as: UTF8.self)
  }
}
