import Geodesy
import LinuxIO

/// Reads one segment, block by block.
struct SegmentReader: ~Copyable {
  private var input: SegmentInput
  private let decoder: TrackBlockDecoder
  private var index = UInt32(SegmentHeader.blocksOffset / TrackBlock.size)
  /// Blank blocks since the last one that was not: the end, or a hole.
  private var blanks = 0
  /// Whether something was left out since the last entries.
  private(set) var hasHole = false

  /// Opens a segment; counts it as damaged and gives `nil` where it cannot be read.
  init?(path: String, damage: inout TrackDamage) {
    guard var input = try? SegmentInput(path: path), let start = try? input.read(SegmentHeader.blocksOffset) else {
      damage.files += 1
      return nil
    }
    guard let header = SegmentHeader.either(start.span) else {
      // Taken, and lost before anything was written.
      if start.contains(where: { $0 != 0 }) { damage.segments += 1 }
      return nil
    }
    self.input = input
    decoder = TrackBlockDecoder(segment: header.number, sources: header.sources)
  }

  /// The entries of the next block that can be read; `nil` at the end.
  mutating func next(_ damage: inout TrackDamage) -> [TrackEntry]? {
    while true {
      guard let block = try? input.read(TrackBlock.size) else {
        damage.files += 1
        return nil
      }
      guard !block.isEmpty else { return nil }
      defer { index += 1 }
      do throws(TrackBlockError) {
        let entries = try decoder.entries(block.span, index: index)
        damage.blocks += blanks
        hasHole = hasHole || blanks > 0
        blanks = 0
        return entries
      } catch {
        if case .blank = error {
          blanks += 1
        } else if block.count < TrackBlock.size, !block.contains(where: { $0 != 0 }) {
          blanks += 1
        } else {
          damage.blocks += blanks + 1
          blanks = 0
          hasHole = true
        }
      }
    }
  }

  /// Tells a hole once.
  mutating func takeHole() -> Bool {
    defer { hasHole = false }
    return hasHole
  }
}
