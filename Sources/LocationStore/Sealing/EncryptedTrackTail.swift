package import Geodesy
import LinuxIO

/// Reads the growth of an encrypted track, piece by piece, without decrypting it: first the segments that may contain
/// fixes from a time on, then each block as soon as it is written.
package struct EncryptedTrackTail {
  private let folder: TrackFolder
  private let selection: TrackSelection
  /// The segment that is being read, and the index of its next block, which is `.max` if the segment is unreadable;
  /// `nil` if none has been read yet.
  private var place: (sequence: Int, index: UInt32)?

  package init(folder: TrackFolder, from: GNSSTime?) {
    self.folder = folder
    selection = TrackSelection(from: from, to: nil)
  }

  /// The next piece; `nil` if nothing more has been written yet.
  package mutating func next() -> EncryptedPiece? {
    if let blocks = nextBlocks() { return blocks }
    guard let segments = try? folder.segments() else { return nil }
    for segment in segments where segment.sequence > place?.sequence ?? 0 {
      guard var input = try? SegmentInput(path: folder.path(of: segment.sequence)),
        let start = try? input.read(SegmentHeader.blocksOffset)
      else {
        place = (segment.sequence, .max)
        return .unreadable
      }
      // A segment's header is written right after its file is created: that of the newest segment may be missing for
      // now.
      guard let header = SegmentHeader.either(start.span) else {
        guard segment != segments.last else { return nil }
        place = (segment.sequence, .max)
        return .unreadable
      }
      if segment != segments.last, selection.excludes(header) { continue }
      place = (segment.sequence, UInt32(SegmentHeader.blocksOffset / TrackBlock.size))
      return .segment(start)
    }
    return nil
  }

  /// The blocks that were written since the last call, up to the preallocated space.
  private mutating func nextBlocks() -> EncryptedPiece? {
    guard let (sequence, first) = place, first < .max,
      let file = try? InputFile(path: folder.path(of: sequence))
    else { return nil }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: TrackBlock.size)
    var index = first
    while bytes.count < EncryptedTrackReader.maximumBlocks * TrackBlock.size {
      let count = (try? file.read(into: &block, at: Int(index) * TrackBlock.size)) ?? 0
      guard count == TrackBlock.size, block.contains(where: { $0 != 0 }) else { break }
      bytes += block
      index += 1
    }
    guard !bytes.isEmpty else { return nil }
    place = (sequence, index)
    return .blocks(at: first, bytes)
  }
}
