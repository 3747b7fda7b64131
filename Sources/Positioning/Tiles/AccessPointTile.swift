package import Geodesy
package import WireFormats

/// The access points of a tile, as stored in a file or downloaded: about 4.5 bytes each.
///
/// ```
/// 0   "WTIL"
/// 4   version: 1
/// 5   row of the grid, 2 bytes
/// 7   column, 2 bytes
/// 9   day of the positions, since 1970-01-01, 2 bytes
/// 11  number of access points, 4 bytes: at most 2^18, and at most four for each byte of what follows
/// 15  records, range coded (`RecordCoder`), padded with zeros to the least length for that number
/// -4  CRC-32C of all bytes before
/// ```
/// Integers are little-endian. Addresses are exact, positions are the center of a cell (`TileCell`, at most 6.94 m off), radii
/// are a class (`RadiusClass`). The same positions give the same bytes, on any machine and in any order.
package struct AccessPointTile: Sendable {
  package let key: TileKey
  /// The day of its positions.
  package let day: CalendarDate
  /// How many access points it has.
  package let count: Int
  private let bytes: [UInt8]

  static let magic = Array("WTIL".utf8)
  static let version: UInt8 = 1
  static let headerSize = 15
  static let checksumSize = 4
  /// The greatest number of access points; the densest known city has 31,000 in a tile.
  package static let maximumCount = 1 << 18
  /// Limits the memory of decoding to 128 bytes for each byte of the tile.
  static let recordsPerByte = 4
  /// 2^18 access points of 8 bytes, more than any of them needs.
  package static let maximumSize = 2 << 20

  /// Creates a tile; throws unless its header and checksum are valid.
  package init(_ bytes: [UInt8]) throws(TileError) {
    guard bytes.count >= Self.headerSize + Self.checksumSize, bytes.count <= Self.maximumSize else {
      throw .size(bytes.count)
    }
    guard bytes.starts(with: Self.magic) else { throw .magic }
    guard bytes[4] == Self.version else { throw .version(bytes[4]) }
    func integer(at offset: Int, size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    let end = bytes.count - Self.checksumSize
    let expected = UInt32(integer(at: end, size: 4))
    let found = CRC32C.of(bytes[..<end])
    guard expected == found else { throw .checksum(expected: expected, found: found) }
    let (row, column) = (integer(at: 5, size: 2), integer(at: 7, size: 2))
    guard let key = TileKey(row: row, column: column) else { throw .key(row: row, column: column) }
    let count = integer(at: 11, size: 4)
    guard count <= Self.maximumCount, count <= Self.recordsPerByte * (end - Self.headerSize) else {
      throw .count(count)
    }
    guard let day = CalendarDate(daysSince1970: integer(at: 9, size: 2)) else { throw .contents }
    self.key = key
    self.day = day
    self.count = count
    self.bytes = bytes
  }

  /// All positions, by their addresses.
  package func places() throws(TileError) -> [AccessPointPosition] {
    var places: [AccessPointPosition] = []
    places.reserveCapacity(count)
    var reader = TileReader(bytes, count: count)
    while let record = try reader.next() { try places.append(place(record)) }
    return places
  }

  /// The positions of the given addresses that the tile contains, by their addresses. Takes about as long as `places`,
  /// and stores only the result.
  package func places(of addresses: some Sequence<BSSID>) throws(TileError) -> [AccessPointPosition] {
    let wanted = Set(addresses.map(\.rawValue))
    guard let last = wanted.max() else { return [] }
    var places: [AccessPointPosition] = []
    var reader = TileReader(bytes, count: count)
    while places.count < wanted.count, let record = try reader.next(), record.address <= last {
      if wanted.contains(record.address) { try places.append(place(record)) }
    }
    return places
  }

  private func place(_ record: TileRecord) throws(TileError) -> AccessPointPosition {
    guard let bssid = BSSID(rawValue: record.address) else { throw .contents }
    return AccessPointPosition(
      bssid: bssid, coordinate: record.cell.middle(in: key), radius68: record.radius.radius)
  }
}

extension AccessPointTile {
  /// Encodes a tile. Of several positions of one address it keeps the one with the least radius, and of those the one furthest
  /// south, then west.
  ///
  /// - Parameter day: the day of the positions.
  package static func encode(
    _ places: some Sequence<AccessPointPosition>, in key: TileKey, on day: CalendarDate
  ) throws(TileEncodingError) -> [UInt8] {
    guard let days = UInt16(exactly: day.daysSince1970) else { throw .day }
    var records: [TileRecord] = []
    for place in places {
      guard let cell = TileCell(place.coordinate, in: key) else { throw .outside(place) }
      records.append(
        TileRecord(address: place.bssid.rawValue, cell: cell, radius: RadiusClass(place.radius68)))
    }
    records.sort { rank($0) < rank($1) }
    var encoder = RangeEncoder()
    var coder = RecordCoder()
    var count = 0
    var last: UInt64?
    for record in records where record.address != last {
      _ = coder.code(record, with: &encoder)
      last = record.address
      count += 1
    }
    guard count <= maximumCount else { throw .count(count) }
    var contents = encoder.finish()
    let least = (count + recordsPerByte - 1) / recordsPerByte
    if contents.count < least { contents += [UInt8](repeating: 0, count: least - contents.count) }
    var bytes = magic + [version]
    func add(_ value: some FixedWidthInteger) {
      for shift in stride(from: 0, to: value.bitWidth, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value >> shift))
      }
    }
    add(UInt16(key.row))
    add(UInt16(key.column))
    add(days)
    add(UInt32(count))
    return sealed(bytes + contents)
  }

  /// The bytes followed by their checksum.
  package static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    let checksum = CRC32C.of(bytes)
    return bytes + (0..<checksumSize).map { UInt8(truncatingIfNeeded: checksum >> (8 * UInt32($0))) }
  }

  private static func rank(_ record: TileRecord) -> (UInt64, Int, Int, Int) {
    (record.address, record.radius.rawValue, record.cell.y, record.cell.x)
  }
}

/// Why bytes are not a valid tile.
package enum TileError: Error, Hashable, Sendable {
  /// Shorter than a header and a checksum, or longer than any tile.
  case size(Int)
  /// They do not begin with "WTIL".
  case magic
  /// An unsupported version.
  case version(UInt8)
  /// Damaged on the way.
  case checksum(expected: UInt32, found: UInt32)
  /// A row and column that the grid does not have.
  case key(row: Int, column: Int)
  /// More access points than a tile, or this number of bytes, may contain.
  case count(Int)
  /// The checksum is right, but no encoder writes these contents.
  case contents
}

/// Why positions cannot be encoded as a tile.
package enum TileEncodingError: Error, Hashable, Sendable {
  /// The position is in another tile.
  case outside(AccessPointPosition)
  /// More than a tile may have.
  case count(Int)
  /// No day from 1970 to 2149.
  case day
}
