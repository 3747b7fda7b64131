package import Geodesy
import WireFormats

/// The unit of a track: a sector that is written once, and can be read without any other block.
///
/// ```
/// 0  checksum: CRC-32C over the segment's number (8 bytes), the block's index in the file (4 bytes) and bytes 4…511
/// 4  format: 1, or 3 with the column `hdop` (`TrackBlockFormat`)
/// 5  0
/// 6  number of entries, 1…
/// 8  a byte for each column: bits of a difference, 0…64; top bit: differences from a straight line
///    the first entry: one column after the other, zigzag, seven bits per byte
///    the second entry's differences from the first, likewise, for the columns with a straight line
///    the other differences, entry by entry: zigzag, each as wide as its column, lowest bit first; zeros to the end
/// ```
/// Integers are little-endian. A column's difference is from the previous entry, or from the straight line through the
/// previous two, whichever needs fewer bits in this block.
///
/// A reader skips a block of an unknown format, and counts it as damaged (`TrackBlockError.format`). A block without
/// any dilution therefore keeps format 1, which all versions read.
package enum TrackBlock {
  /// Bytes of a block: a disk writes a sector of this size completely or not at all.
  package static let size = 512
  /// Offset of the columns' width bytes.
  static let columnsOffset = 8
  static let lineMark: UInt8 = 0x80
  /// Maximum number of entries. It bounds a reader's memory, because entries that do not change take no room.
  static let maximumCount = 1000

  /// The checksum of a block of `size` bytes.
  static func checksum(_ block: Span<UInt8>, segment: UInt64, index: UInt32) -> UInt32 {
    var checksum = CRC32C()
    checksum.add(segment)
    checksum.add(index)
    checksum.add(block.extracting(4..<size))
    return checksum.value
  }

  /// Checks that a block found at place `index` is intact, and encrypted exactly if its segment is; returns its format.
  static func check(
    _ block: Span<UInt8>, segment: UInt64, index: UInt32, isSealed: Bool
  ) throws(TrackBlockError) -> TrackBlockFormat {
    guard block.count == size else { throw .contents }
    let found = block.integer(at: 0, as: UInt32.self)
    let expected = checksum(block, segment: segment, index: index)
    guard found == expected else {
      throw block.indices.allSatisfy { block[$0] == 0 } ? .blank : .checksum(expected: expected, found: found)
    }
    guard let format = TrackBlockFormat(rawValue: block[4]), format.isSealed == isSealed else {
      throw .format(found: block[4])
    }
    return format
  }
}

/// The formats of blocks: with or without the column `hdop`, encrypted (`EncryptedBlock`) or not. The numbers never change.
enum TrackBlockFormat: UInt8 {
  case open = 1
  case sealed = 2
  case openWithDilution = 3
  case sealedWithDilution = 4

  var isSealed: Bool { self == .sealed || self == .sealedWithDilution }
  var columns: [TrackColumn] {
    self == .openWithDilution || self == .sealedWithDilution ? TrackColumn.all : TrackColumn.withoutDilution
  }
}

/// Why a block cannot be read.
package enum TrackBlockError: Error, Hashable, Sendable {
  /// The block was never written.
  case blank
  /// The block is damaged, or was written for another place.
  case checksum(expected: UInt32, found: UInt32)
  /// The format is unknown, or does not belong to a segment of this kind.
  case format(found: UInt8)
  /// The block is intact, but not in the form that this program writes.
  case contents
  /// Decryption failed: the block does not continue the segment, or belongs to another place.
  case decryptionFailed
}

/// Collects entries for one block until it is full.
struct TrackBlockEncoder {
  private var rows: [TrackRow] = []
  private var widths = InlineArray<18, Widths>(repeating: Widths())
  /// Maximum size of the block in bytes.
  private let capacity: Int
  /// Whether the collected entries are wiped after use.
  private let isSecret: Bool
  /// The format of the open block. All encrypted blocks have the same format, because the format is not encrypted, and
  /// must not reveal which blocks have a dilution.
  private var format: TrackBlockFormat

  /// - Parameter isSealed: the block will be encrypted (`EncryptedBlock`), so its entries must leave no trace in memory.
  init(isSealed: Bool = false) {
    capacity = isSealed ? EncryptedBlock.openSize : TrackBlock.size
    isSecret = isSealed
    format = isSealed ? .openWithDilution : .open
    // Growing the array would leave a copy that is not wiped.
    if isSealed { rows.reserveCapacity(TrackBlock.maximumCount) }
  }

  /// Bits of a column's widest difference.
  private struct Widths {
    /// From the previous entry.
    var step = 0
    /// From the straight line through the previous two entries, from the third entry on; and the number of bytes of the
    /// line's first step.
    var (line, slope) = (0, 0)

    /// Bits of all differences of `count` entries, for either method.
    func stepBits(_ count: Int) -> Int { step * (count - 1) }
    func lineBits(_ count: Int) -> Int { count < 3 ? .max : line * (count - 2) + 8 * slope }
    func isLine(_ count: Int) -> Bool { lineBits(count) < stepBits(count) }
    func bits(_ count: Int) -> Int { min(stepBits(count), lineBits(count)) }
  }

  var isEmpty: Bool { rows.isEmpty }
  /// Number of collected entries.
  var count: Int { rows.count }

  /// Adds an entry; `false` if the block is full.
  mutating func append(_ row: TrackRow) -> Bool {
    guard rows.count < TrackBlock.maximumCount else { return false }
    let format = row.hasDilution ? .openWithDilution : self.format
    guard let last = rows.last else {
      rows.append(row)
      self.format = format
      return true
    }
    var wider = widths
    for column in TrackColumn.all {
      let index = column.rawValue
      let step = row[column] &- last[column]
      wider[index].step = max(wider[index].step, ZigZag.width(step))
      if rows.count == 1 {
        wider[index].slope = ZigZag.byteCount(step)
      } else {
        wider[index].line = max(wider[index].line, ZigZag.width(row[column] &- Self.expected(column, rows)))
      }
    }
    guard size(wider, count: rows.count + 1, format.columns) <= capacity else { return false }
    (widths, self.format) = (wider, format)
    rows.append(row)
    return true
  }

  /// Encodes the collected entries as the block for place `index` of `segment`, and starts a new block.
  mutating func finish(segment: UInt64, index: UInt32) -> [UInt8] {
    var block: [UInt8] = []
    block.reserveCapacity(TrackBlock.size)
    block += [0, 0, 0, 0, format.rawValue, 0]
    block.append(littleEndian: UInt16(rows.count))
    let (count, columns) = (rows.count, format.columns)
    for column in columns {
      let width = widths[column.rawValue]
      let isLine = width.isLine(count)
      block.append(UInt8(isLine ? width.line : width.step) | (isLine ? TrackBlock.lineMark : 0))
    }
    for column in columns { ZigZag.append(rows[0][column], to: &block) }
    for column in columns where widths[column.rawValue].isLine(count) {
      ZigZag.append(rows[1][column] &- rows[0][column], to: &block)
    }
    var bits = BitWriter(capacity: TrackBlock.size)
    for index in 1..<max(1, count) {
      for column in columns {
        let width = widths[column.rawValue]
        if !width.isLine(count) {
          bits.append(ZigZag.encode(rows[index][column] &- rows[index - 1][column]), width: width.step)
        } else if index > 1 {
          let expected = Self.expected(column, rows, before: index)
          bits.append(ZigZag.encode(rows[index][column] &- expected), width: width.line)
        }
      }
    }
    block += bits.bytes
    block += [UInt8](repeating: 0, count: TrackBlock.size - block.count)
    block.replace(at: 0, littleEndian: TrackBlock.checksum(block.span, segment: segment, index: index))
    if isSecret {
      bits.wipe()
      Sodium.wipe(&rows)
    }
    rows.removeAll(keepingCapacity: isSecret)
    widths = InlineArray(repeating: Widths())
    format = isSecret ? .openWithDilution : .open
    return block
  }

  /// The extrapolation of the straight line through the two rows before `index` (default: the end).
  static func expected(_ column: TrackColumn, _ rows: [TrackRow], before index: Int? = nil) -> Int64 {
    let index = index ?? rows.count
    let last = rows[index - 1][column]
    return last &+ (last &- rows[index - 2][column])
  }

  private func size(_ widths: InlineArray<18, Widths>, count: Int, _ columns: [TrackColumn]) -> Int {
    var size = TrackBlock.columnsOffset + columns.count
    var bits = 0
    for column in columns {
      size += ZigZag.byteCount(rows[0][column])
      bits += widths[column.rawValue].bits(count)
    }
    return size + (bits + 7) / 8
  }
}

/// Reads blocks of one segment.
package struct TrackBlockDecoder: Sendable {
  private let segment: UInt64
  private let sources: [TrackSource]

  /// A decoder for the blocks of `segment`, whose header lists `sources`.
  package init(segment: UInt64, sources: [TrackSource]) {
    self.segment = segment
    self.sources = sources
  }

  /// The entries of the block found at place `index`: all of them, or an error.
  package func entries(_ block: Span<UInt8>, index: UInt32) throws(TrackBlockError) -> [TrackEntry] {
    let format = try TrackBlock.check(block, segment: segment, index: index, isSealed: false)
    return try Self.entries(block, format, sources)
  }

  /// The entries of an intact, decrypted block.
  static func entries(
    _ block: Span<UInt8>, _ format: TrackBlockFormat, _ sources: [TrackSource]
  ) throws(TrackBlockError) -> [TrackEntry] {
    try rows(block, format.columns).map { row throws(TrackBlockError) in
      guard let entry = row.entry(sources: sources) else { throw .contents }
      return entry
    }
  }

  /// The rows of a block whose checksum is valid.
  private static func rows(_ block: Span<UInt8>, _ columns: [TrackColumn]) throws(TrackBlockError) -> [TrackRow] {
    let count = Int(block.integer(at: 6, as: UInt16.self))
    guard (1...TrackBlock.maximumCount).contains(count) else { throw .contents }
    var widths: [(bits: Int, isLine: Bool)] = []
    for column in columns {
      let byte = block[TrackBlock.columnsOffset + column.rawValue]
      guard byte & ~TrackBlock.lineMark <= 64 else { throw .contents }
      widths.append((Int(byte & ~TrackBlock.lineMark), byte & TrackBlock.lineMark != 0))
    }
    var offset = TrackBlock.columnsOffset + columns.count
    var first = TrackRow()
    for column in columns {
      guard let value = ZigZag.read(block, at: &offset) else { throw .contents }
      first[column] = value
    }
    var slopes: [Int64] = []
    for column in columns {
      guard widths[column.rawValue].isLine else {
        slopes.append(0)
        continue
      }
      guard count > 1, let slope = ZigZag.read(block, at: &offset) else { throw .contents }
      slopes.append(slope)
    }
    let bits = widths.reduce(0) { $0 + $1.bits * (count - ($1.isLine ? 2 : 1)) }
    guard offset * 8 + bits <= block.count * 8 else { throw .contents }

    var rows = [first]
    rows.reserveCapacity(count)
    var reader = BitReader(at: offset)
    while rows.count < count {
      var row = rows[rows.count - 1]
      for column in columns {
        let (bits, isLine) = widths[column.rawValue]
        if isLine, rows.count == 1 {
          row[column] &+= slopes[column.rawValue]
        } else {
          let expected = isLine ? TrackBlockEncoder.expected(column, rows) : row[column]
          row[column] = expected &+ ZigZag.decode(reader.read(bits, of: block))
        }
      }
      rows.append(row)
    }
    return rows
  }
}
