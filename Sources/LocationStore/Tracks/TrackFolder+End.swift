package import Geodesy
import LinuxIO

/// Where a track ends.
extension TrackFolder {
  /// The time of the last fix that can be read, of a sealed track the day on which its last segment begins; `nil` where there
  /// is none.
  package var end: GNSSTime? {
    guard let segments = try? segments() else { return nil }
    for segment in segments.reversed() {
      if let end = end(of: segment) { return end }
    }
    return nil
  }

  /// The same of one segment: it is read from its end, block by block.
  private func end(of segment: SegmentFile) -> GNSSTime? {
    guard let header = header(of: segment.sequence), let file = try? InputFile(path: path(of: segment.sequence)) else {
      return nil
    }
    if header.seal != nil { return header.time }
    let decoder = TrackBlockDecoder(segment: header.number, sources: header.sources)
    let first = SegmentHeader.blocksOffset / TrackBlock.size
    var block = [UInt8](repeating: 0, count: TrackBlock.size)
    for index in (first..<max(first, segment.size / TrackBlock.size)).reversed() {
      guard (try? file.read(into: &block, at: index * TrackBlock.size)) == TrackBlock.size,
        // Blank ones were taken beforehand; damaged ones are the reader's to count.
        let entries = try? decoder.entries(block.span, index: UInt32(index))
      else { continue }
      for case .fix(let fix) in entries.reversed() { return fix.time }
    }
    return nil
  }
}
