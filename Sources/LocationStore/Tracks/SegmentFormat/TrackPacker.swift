package import Geodesy

/// Encodes entries as blocks of a segment, in memory; used only by tests and a fuzzer.
package struct TrackPacker {
  private let segment: UInt64
  /// The sources, to which the blocks refer by number.
  package private(set) var sources: [TrackSource] = []

  package init(segment: UInt64) { self.segment = segment }

  /// All entries, in as few blocks as possible.
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

/// Recomputes checksums, so that tests can reach the code behind them.
extension TrackBlock {
  /// The block with its checksum corrected.
  package static func sealed(_ block: [UInt8], segment: UInt64, index: UInt32) -> [UInt8] {
    var block = block
    block.replace(at: 0, littleEndian: checksum(block.span, segment: segment, index: index))
    return block
  }
}

extension SegmentHeader {
  /// The header with its checksum corrected.
  package static func sealed(_ header: [UInt8]) -> [UInt8] {
    var header = header
    header.replace(at: checksumOffset, littleEndian: checksum(header.span))
    return header
  }
}

/// Encrypts arbitrary bytes as blocks of a segment, in memory; used only by a fuzzer.
package struct EncryptedBlockPacker {
  private let sealer: SegmentEncryptor
  private var index = UInt32(SegmentHeader.blocksOffset / TrackBlock.size)

  /// A segment of a log with these sources.
  package init?(owner: OwnerKey, sources: [TrackSource]) {
    var header = SegmentHeader(
      number: 7, log: "fuzz", bootID: nil, time: GNSSTime(nanosecondsSince1970: 0), timeValidity: .confirmed,
      arrival: Instant(nanoseconds: 0))
    for source in sources { _ = header.add(source, room: SegmentEncryption.contentSize) }
    guard let sealer = SegmentEncryptor(header, to: owner.publicKey) else { return nil }
    self.sealer = sealer
  }

  /// The beginning of the file.
  package var start: EncryptedPiece { .segment(sealer.header.bytes + sealer.header.bytes) }

  /// Encrypts the next open block, whose checksum has no effect; also returns that open block, as far as it fits.
  package mutating func block(_ open: [UInt8]) -> (sealed: EncryptedPiece, open: [UInt8]) {
    precondition(open.count == TrackBlock.size)
    let kept =
      [0, 0, 0, 0, TrackBlockFormat.openWithDilution.rawValue, 0]
      + open[EncryptedBlock.textOffset..<EncryptedBlock.openSize]
    var text = kept
    defer { index += 1 }
    return (.blocks(at: index, sealer.close(&text, index: index)), kept + [UInt8](repeating: 0, count: Sodium.tagSize))
  }
}
