package import Geodesy

/// Any bytes as blocks of a sealed segment, in memory: what a fuzzer needs of the seal, and nobody else.
package struct SealedPacker {
  private let sealer: SegmentSealer
  private var index = UInt32(SegmentHeader.blocksOffset / TrackBlock.size)

  /// A segment of a log, with these sources.
  package init?(owner: OwnerKey, sources: [TrackSource]) {
    var header = SegmentHeader(
      number: 7, log: "fuzz", bootID: nil, time: GNSSTime(nanosecondsSince1970: 0), timeValidity: .confirmed,
      arrival: Instant(nanoseconds: 0))
    for source in sources { _ = header.add(source, room: SegmentSeal.contentSize) }
    guard let sealer = SegmentSealer(header, to: owner.publicKey) else { return nil }
    self.sealer = sealer
  }

  /// What the file begins with.
  package var start: SealedPiece { .segment(sealer.header.bytes + sealer.header.bytes) }

  /// The next block, of an open one (its checksum does not matter); and that open one, as far as it has room.
  package mutating func block(_ open: [UInt8]) -> (sealed: SealedPiece, open: [UInt8]) {
    precondition(open.count == TrackBlock.size)
    let kept = [0, 0, 0, 0, TrackBlock.format, 0] + open[SealedBlock.textOffset..<SealedBlock.openSize]
    var text = kept
    defer { index += 1 }
    return (.blocks(at: index, sealer.close(&text, index: index)), kept + [UInt8](repeating: 0, count: Sodium.tagSize))
  }
}
