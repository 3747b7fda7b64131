import Geodesy
import LinuxIO

/// Reads one segment, block by block.
struct SegmentReader: ~Copyable {
  private var input: SegmentInput
  private var blocks: SegmentBlocks

  /// Opens a segment; counts it as damaged and gives `nil` where it cannot be read, or is sealed and `key` does not open it.
  init?(path: String, key: OwnerKey?, damage: inout TrackDamage) {
    guard var input = try? SegmentInput(path: path), let start = try? input.read(SegmentHeader.blocksOffset) else {
      damage.files += 1
      return nil
    }
    guard let blocks = SegmentHeader.either(start.span).flatMap({ SegmentBlocks($0, key: key) }) else {
      // Taken, and lost before anything was written.
      if start.contains(where: { $0 != 0 }) { damage.segments += 1 }
      return nil
    }
    self.input = input
    self.blocks = blocks
  }

  /// The entries of the next block that can be read; `nil` at the end.
  mutating func next(_ damage: inout TrackDamage) -> [TrackEntry]? {
    while true {
      guard let block = try? input.read(TrackBlock.size) else {
        damage.files += 1
        return nil
      }
      guard !block.isEmpty else { return nil }
      if let entries = blocks.take(block.span, &damage) { return entries }
    }
  }

  /// Tells a hole once.
  mutating func takeHole() -> Bool { blocks.takeHole() }
}
