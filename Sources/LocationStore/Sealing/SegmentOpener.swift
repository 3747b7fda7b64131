import Geodesy

/// Opens the blocks of one sealed segment, in their order.
final class SegmentOpener {
  private let number: UInt64
  private let sources: [TrackSource]
  private var ratchet: KeyRatchet

  /// Opens a header; `nil` where it is not sealed to this key, or holds what no writer has written.
  init?(_ header: SegmentHeader, _ key: OwnerKey) {
    guard let seal = header.seal, let first = key.open(seal.box) else { return nil }
    let ratchet = KeyRatchet(first)
    let beside = header.outerText
    guard let content = ratchet.withHeaderKey({ Sodium.open(seal.text.span, beside: beside.span, $0) }),
      let inner = SegmentSeal.header(of: content), inner.number == header.number
    else { return nil }
    number = header.number
    sources = inner.sources
    self.ratchet = ratchet
  }

  /// The entries of the block at place `index`, behind all that were asked for before.
  func entries(_ block: Span<UInt8>, index: UInt32) throws(TrackBlockError) -> [TrackEntry] {
    try TrackBlock.check(block, segment: number, index: index, format: SealedBlock.format)
    // No writer goes far beyond a segment's size; a reader's work is bounded.
    guard Int(index) < 2 * OpenSegment.maximumSize / TrackBlock.size, ratchet.skip(to: index) else { throw .contents }
    let beside = SealedBlock.place(segment: number, index: index)
    let closed = block.extracting(SealedBlock.textOffset..<TrackBlock.size)
    guard let text = ratchet.withNextKey({ Sodium.open(closed, beside: beside.span, $0) }) else { throw .seal }
    let open = SealedBlock.open(text)
    return try TrackBlockDecoder.entries(open.span, sources)
  }
}
