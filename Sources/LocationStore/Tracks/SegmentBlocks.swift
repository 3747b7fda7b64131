import Geodesy

/// Makes entries of one segment's blocks, in their order, and counts what is damaged.
struct SegmentBlocks {
  private let decoder: Decoder
  private var index = UInt32(SegmentHeader.blocksOffset / TrackBlock.size)
  /// Blank blocks since the last one that was not: the end, or a hole.
  private var blanks = 0
  /// Whether something was left out since the last entries.
  private var hasHole = false

  private enum Decoder {
    case open(TrackBlockDecoder)
    case sealed(SegmentOpener)
  }

  /// The blocks of a segment; `nil` where it is sealed, and `key` does not open it.
  init?(_ header: SegmentHeader, key: OwnerKey?) {
    guard header.seal != nil else {
      decoder = .open(TrackBlockDecoder(segment: header.number, sources: header.sources))
      return
    }
    guard let opener = key.flatMap({ SegmentOpener(header, $0) }) else { return nil }
    decoder = .sealed(opener)
  }

  /// The entries of the next block; `nil` where it cannot be read.
  mutating func take(_ block: Span<UInt8>, _ damage: inout TrackDamage) -> [TrackEntry]? {
    defer { index += 1 }
    do throws(TrackBlockError) {
      let entries =
        switch decoder {
        case .open(let decoder): try decoder.entries(block, index: index)
        case .sealed(let opener): try opener.entries(block, index: index)
        }
      damage.blocks += blanks
      hasHole = hasHole || blanks > 0
      blanks = 0
      return entries
    } catch {
      if case .blank = error {
        blanks += 1
      } else if block.count < TrackBlock.size, block.indices.allSatisfy({ block[$0] == 0 }) {
        blanks += 1
      } else {
        damage.blocks += blanks + 1
        blanks = 0
        hasHole = true
      }
      return nil
    }
  }

  /// Leaves out blank blocks, up to the one at `index`; one behind it is none.
  mutating func skip(to index: UInt32) {
    guard index > self.index else { return }
    blanks += Int(index - self.index)
    self.index = index
  }

  /// Tells a hole once.
  mutating func takeHole() -> Bool {
    defer { hasHole = false }
    return hasHole
  }
}
