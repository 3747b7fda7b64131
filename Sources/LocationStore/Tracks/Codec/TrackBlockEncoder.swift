/// Gathers entries for one block until no more fit.
struct TrackBlockEncoder {
  private var rows: [TrackRow] = []
  /// Bits of the widest difference to the entry before, and to the straight line, a column.
  private var widths = InlineArray<17, Widths>(repeating: Widths())

  private struct Widths {
    var step = 0
    var line = 0
    var best: Int { min(step, line) }
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
      wider[index].step = max(wider[index].step, ZigZag.width(row[column] &- last[column]))
      let expected = Self.expected(column, rows[...])
      wider[index].line = max(wider[index].line, ZigZag.width(row[column] &- expected))
    }
    guard size(wider, count: rows.count + 1) <= TrackBlock.size else { return false }
    widths = wider
    rows.append(row)
    return true
  }

  /// The block of what was gathered, for place `index` of `segment`; begins a new one.
  mutating func finish(segment: UInt64, index: UInt32) -> [UInt8] {
    var block: [UInt8] = [0, 0, 0, 0, TrackBlock.format, 0]
    block.append(littleEndian: UInt16(rows.count))
    for column in TrackColumn.allCases {
      let width = widths[column.rawValue]
      block.append(UInt8(width.best) | (width.line < width.step ? TrackBlock.lineMark : 0))
    }
    for column in TrackColumn.allCases { ZigZag.append(rows[0][column], to: &block) }
    var bits = BitWriter()
    for index in rows.indices.dropFirst() {
      for column in TrackColumn.allCases {
        let width = widths[column.rawValue]
        let expected =
          width.line < width.step ? Self.expected(column, rows[..<index]) : rows[index - 1][column]
        bits.append(ZigZag.encode(rows[index][column] &- expected), width: width.best)
      }
    }
    block += bits.bytes
    block += [UInt8](repeating: 0, count: TrackBlock.size - block.count)
    block.replace(at: 0, littleEndian: TrackBlock.checksum(block.span, segment: segment, index: index))
    self = TrackBlockEncoder()
    return block
  }

  /// Where a straight line through the last two of `rows`, one at least, goes on.
  static func expected(_ column: TrackColumn, _ rows: ArraySlice<TrackRow>) -> Int64 {
    let last = rows[rows.endIndex - 1][column]
    return rows.count > 1 ? last &+ (last &- rows[rows.endIndex - 2][column]) : last
  }

  private func size(_ widths: InlineArray<17, Widths>, count: Int) -> Int {
    var size = TrackBlock.columnsOffset + TrackColumn.allCases.count
    var bits = 0
    for column in TrackColumn.allCases {
      size += ZigZag.byteCount(rows[0][column])
      bits += widths[column.rawValue].best
    }
    return size + (bits * (count - 1) + 7) / 8
  }
}
