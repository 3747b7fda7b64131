/// The fixed part of a PMTiles archive (PMTiles specification, version 3.4; github.com/protomaps/PMTiles).
package struct PMTilesHeader: Hashable, Sendable {
  /// Its bytes.
  package static let size = 127

  /// A part of the file, bytes.
  package struct Section: Hashable, Sendable {
    package var offset, length: UInt64

    package init(offset: UInt64, length: UInt64) { (self.offset, self.length) = (offset, length) }
  }

  /// How directories or tiles are compressed.
  package enum Compression: UInt8, Hashable, Sendable {
    case none = 1
    case gzip = 2
    case brotli = 3
    case zstd = 4
  }

  package var root, metadata, leaves, tiles: Section
  package var directoryCompression, tileCompression: Compression
  package var content: TileDescription.Content
  package var leastZoom, mostZoom: Int
  package var area: MapArea?

  /// Why an archive cannot be read.
  package enum Problem: Error, Hashable, Sendable {
    case notAnArchive
    case otherVersion(Int)
    /// The number of a compression that is not read.
    case compression(Int)
    /// The number of a type of tiles that is not read: 5 is AVIF, 6 MapLibre Tile.
    case tileType(Int)
    case damaged
  }

  package init(_ bytes: [UInt8]) throws(Problem) {
    guard bytes.count >= Self.size, bytes[..<7].elementsEqual("PMTiles".utf8) else { throw .notAnArchive }
    guard bytes[7] == 3 else { throw .otherVersion(Int(bytes[7])) }
    func number(_ offset: Int, _ size: Int) -> UInt64 {
      (0..<size).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
    }
    func section(_ offset: Int) throws(Problem) -> Section {
      let section = Section(offset: number(offset, 8), length: number(offset + 8, 8))
      // Offsets of files fit into 63 bits.
      guard section.offset <= 1 << 62, section.length <= 1 << 62 else { throw .damaged }
      return section
    }
    (root, metadata, leaves, tiles) = (try section(8), try section(24), try section(40), try section(56))
    func compression(_ offset: Int) throws(Problem) -> Compression {
      guard let found = Compression(rawValue: bytes[offset]), found == .none || found == .gzip else {
        throw .compression(Int(bytes[offset]))
      }
      return found
    }
    (directoryCompression, tileCompression) = (try compression(97), try compression(98))
    switch bytes[99] {
    case 1: content = .vector
    case 2: content = .png
    case 3: content = .jpeg
    case 4: content = .webp
    case let other: throw .tileType(Int(other))
    }
    (leastZoom, mostZoom) = (Int(bytes[100]), Int(bytes[101]))
    guard leastZoom <= mostZoom, TileAddress.zooms.contains(mostZoom) else { throw .damaged }
    func degrees(_ offset: Int) -> Double { Double(Int32(truncatingIfNeeded: number(offset, 4))) / 1e7 }
    area = MapArea(west: degrees(102), south: degrees(106), east: degrees(110), north: degrees(114))
  }
}

/// A directory of a PMTiles archive: where its tiles are, or the directories below it.
package struct PMTilesDirectory: Hashable, Sendable {
  /// More entries than any directory has: writers make leaves of some thousand entries, and a root of 16 kB.
  package static let mostEntries = 1 << 17

  private struct Entry: Hashable, Sendable {
    var number: UInt64
    var offset: UInt64
    var length: UInt32
    /// The tiles from `number` on that have this content; 0: a directory.
    var run: UInt32
  }

  /// What a directory has of a tile.
  package enum Found: Hashable, Sendable {
    /// Offsets count from the section of the tiles, or of the leaves.
    case tile(offset: UInt64, length: Int)
    case directory(offset: UInt64, length: Int)
  }

  private var entries: [Entry] = []

  /// The entries of the decompressed bytes.
  package init(_ bytes: [UInt8]) throws(PMTilesHeader.Problem) {
    var rest = bytes[...]
    func next() throws(PMTilesHeader.Problem) -> UInt64 {
      var (result, shift): (UInt64, UInt64) = (0, 0)
      while let byte = rest.popFirst() {
        guard shift < 63 else { throw .damaged }
        result |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return result }
        shift += 7
      }
      throw .damaged
    }
    // Each entry has at least four bytes.
    let count = try next()
    guard count <= Self.mostEntries, count <= bytes.count / 4 else { throw .damaged }
    var number: UInt64 = 0
    entries.reserveCapacity(Int(count))
    for _ in 0..<count {
      number = number &+ (try next())
      entries.append(Entry(number: number, offset: 0, length: 0, run: 0))
    }
    for index in entries.indices {
      guard let run = UInt32(exactly: try next()) else { throw .damaged }
      entries[index].run = run
    }
    for index in entries.indices {
      guard let length = UInt32(exactly: try next()), length > 0 else { throw .damaged }
      entries[index].length = length
    }
    for index in entries.indices {
      let value = try next()
      if value > 0 {
        entries[index].offset = value - 1
      } else {
        guard index > 0 else { throw .damaged }
        entries[index].offset = entries[index - 1].offset &+ UInt64(entries[index - 1].length)
      }
      guard entries[index].offset <= 1 << 62 else { throw .damaged }
    }
  }

  /// Where a tile is; `nil`: the archive does not have it.
  package func find(_ number: UInt64) -> Found? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number <= number { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let entry = entries[low - 1]
    if entry.run == 0 { return .directory(offset: entry.offset, length: Int(entry.length)) }
    return number - entry.number < UInt64(entry.run) ? .tile(offset: entry.offset, length: Int(entry.length)) : nil
  }
}
