package import Geodesy

/// Entries as blocks of a segment, in memory: what a fuzzer and a benchmark need of the codec, and nobody else.
package struct TrackPacker {
  private let segment: UInt64
  /// What the blocks name by number.
  package private(set) var sources: [TrackSource] = []

  package init(segment: UInt64) { self.segment = segment }

  /// All entries, packed as tightly as they go.
  package mutating func blocks(of entries: [TrackEntry]) -> [[UInt8]] {
    var encoder = TrackBlockEncoder()
    var blocks: [[UInt8]] = []
    var last = TrackRow()
    for entry in entries {
      guard let row = row(entry, after: last) else { continue }
      if !encoder.append(row) {
        blocks.append(encoder.finish(segment: segment, index: UInt32(blocks.count)))
        _ = encoder.append(row)
      }
      last = row
    }
    return encoder.isEmpty ? blocks : blocks + [encoder.finish(segment: segment, index: UInt32(blocks.count))]
  }

  private mutating func row(_ entry: TrackEntry, after last: TrackRow) -> TrackRow? {
    switch entry {
    case .interruption(let interruption): return TrackRow(interruption, neighbour: last)
    case .fix(let fix):
      let source = TrackSource(of: fix)
      guard !source.isUnknown else { return TrackRow(fix, source: 0, previous: last) }
      if !sources.contains(source) { sources.append(source) }
      return TrackRow(fix, source: (sources.firstIndex(of: source) ?? 0) + 1, previous: last)
    }
  }
}

/// Checksums over anything, so that what they guard can be tried.
extension TrackBlock {
  /// The block with the checksum that it should have.
  package static func sealed(_ block: [UInt8], segment: UInt64, index: UInt32) -> [UInt8] {
    var block = block
    block.replace(at: 0, littleEndian: checksum(block.span, segment: segment, index: index))
    return block
  }
}

extension SegmentHeader {
  /// The header with the checksum that it should have.
  package static func sealed(_ header: [UInt8]) -> [UInt8] {
    var header = header
    header.replace(at: checksumOffset, littleEndian: checksum(header.span))
    return header
  }
}
