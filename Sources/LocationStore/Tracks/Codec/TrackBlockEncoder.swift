/// Gathers entries for one block until no more fit.
struct TrackBlockEncoder {
  private var rows: [TrackRow] = []
  private var widths = InlineArray<17, Widths>(repeating: Widths())
  /// Bytes that may be filled.
  private let capacity: Int
  /// Whether what was gathered is wiped behind itself.
  private let isSecret: Bool

  /// - Parameter isSealed: what is gathered is to be closed (`SealedBlock`), and leaves no trace in memory.
  init(isSealed: Bool = false) {
    capacity = isSealed ? SealedBlock.openSize : TrackBlock.size
    isSecret = isSealed
    // A longer array would be a copy of this one, and leave it behind.
    if isSealed { rows.reserveCapacity(TrackBlock.maximumCount) }
  }

  /// Bits of a column's widest difference.
  private struct Widths {
    /// To the entry before.
    var step = 0
    /// To the straight line through the two before, from the third entry on; and the bytes of the line's first step.
    var (line, slope) = (0, 0)

    /// Bits of all differences of `count` entries, either way.
    func stepBits(_ count: Int) -> Int { step * (count - 1) }
    func lineBits(_ count: Int) -> Int { count < 3 ? .max : line * (count - 2) + 8 * slope }
    func isLine(_ count: Int) -> Bool { lineBits(count) < stepBits(count) }
    func bits(_ count: Int) -> Int { min(stepBits(count), lineBits(count)) }
  }

  var isEmpty: Bool { rows.isEmpty }
  /// Entries gathered.
  var count: Int { rows.count }

  /// Adds an entry; `false` where the block is full.
  mutating func append(_ row: TrackRow) -> Bool {
    guard rows.count < TrackBlock.maximumCount else { return false }
    guard let last = rows.last else {
      rows.append(row)
      return true
    }
    var wider = widths
    for column in TrackColumn.allCases {
      let index = column.rawValue
      let step = row[column] &- last[column]
      wider[index].step = max(wider[index].step, ZigZag.width(step))
      if rows.count == 1 {
        wider[index].slope = ZigZag.byteCount(step)
      } else {
        wider[index].line = max(wider[index].line, ZigZag.width(row[column] &- Self.expected(column, rows)))
      }
    }
    guard size(wider, count: rows.count + 1) <= capacity else { return false }
    widths = wider
    rows.append(row)
    return true
  }

  /// The block of what was gathered, for place `index` of `segment`; begins a new one.
  mutating func finish(segment: UInt64, index: UInt32) -> [UInt8] {
    var block: [UInt8] = []
    block.reserveCapacity(TrackBlock.size)
    block += [0, 0, 0, 0, TrackBlock.format, 0]
    block.append(littleEndian: UInt16(rows.count))
    let count = rows.count
    for column in TrackColumn.allCases {
      let width = widths[column.rawValue]
      let isLine = width.isLine(count)
      block.append(UInt8(isLine ? width.line : width.step) | (isLine ? TrackBlock.lineMark : 0))
    }
    for column in TrackColumn.allCases { ZigZag.append(rows[0][column], to: &block) }
    for column in TrackColumn.allCases where widths[column.rawValue].isLine(count) {
      ZigZag.append(rows[1][column] &- rows[0][column], to: &block)
    }
    var bits = BitWriter(capacity: TrackBlock.size)
    for index in 1..<max(1, count) {
      for column in TrackColumn.allCases {
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
    return block
  }

  /// Where a straight line through the two rows before `index` (the end) goes on.
  static func expected(_ column: TrackColumn, _ rows: [TrackRow], before index: Int? = nil) -> Int64 {
    let index = index ?? rows.count
    let last = rows[index - 1][column]
    return last &+ (last &- rows[index - 2][column])
  }

  private func size(_ widths: InlineArray<17, Widths>, count: Int) -> Int {
    var size = TrackBlock.columnsOffset + TrackColumn.allCases.count
    var bits = 0
    for column in TrackColumn.allCases {
      size += ZigZag.byteCount(rows[0][column])
      bits += widths[column.rawValue].bits(count)
    }
    return size + (bits + 7) / 8
  }
}
