package import Geodesy

/// Reads blocks of one segment.
package struct TrackBlockDecoder: Sendable {
  private let segment: UInt64
  private let sources: [TrackSource]

  /// A reader of the blocks of `segment`, whose header lists `sources`.
  package init(segment: UInt64, sources: [TrackSource]) {
    self.segment = segment
    self.sources = sources
  }

  /// The entries of the block that was found at place `index`: all of them, or an error.
  package func entries(_ block: Span<UInt8>, index: UInt32) throws(TrackBlockError) -> [TrackEntry] {
    try TrackBlock.check(block, segment: segment, index: index, format: TrackBlock.format)
    return try Self.entries(block, sources)
  }

  /// The entries of a block that is whole.
  static func entries(_ block: Span<UInt8>, _ sources: [TrackSource]) throws(TrackBlockError) -> [TrackEntry] {
    try rows(block).map { row throws(TrackBlockError) in
      guard let entry = row.entry(sources: sources) else { throw .contents }
      return entry
    }
  }

  /// The rows of a block whose checksum is right.
  static func rows(_ block: Span<UInt8>) throws(TrackBlockError) -> [TrackRow] {
    let columns = TrackColumn.allCases
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
