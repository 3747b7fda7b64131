import Fleet
import Geodesy
import LinuxIO
import LocationPolicy

/// Reads the positions of an outbox from its segments, from any place on.
struct FleetTrackReader {
  private let folder: TrackFolder

  init(_ folder: TrackFolder) { self.folder = folder }

  /// At most about `limit` positions after a place, in order, from what is on the disk before `end`. Damaged blocks are skipped.
  ///
  /// - Returns: the positions, and whether these were the last.
  func records(
    after place: FleetPlace, before end: (sequence: Int, block: UInt32), limit: Int
  ) throws(SystemError) -> (records: [FleetRecord], isEnd: Bool) {
    var records: [FleetRecord] = []
    for segment in try folder.segments() where (place.segment...end.sequence).contains(segment.sequence) {
      let first = segment.sequence == place.segment ? UInt32(place.block) : 0
      let last = segment.sequence == end.sequence ? end.block : .max
      var isFull = false
      forEachBlock(of: segment, from: first, until: last) { header, index, entries in
        for (number, entry) in entries.enumerated() {
          guard case .fix(let fix) = entry else { continue }
          let found = FleetPlace(segment: segment.sequence, block: Int(index), entry: number)
          guard found > place else { continue }
          records.append(
            FleetRecord(place: found, box: UInt32(truncatingIfNeeded: header.number), content: .fix(fix)))
        }
        isFull = records.count >= limit
        return !isFull
      }
      if isFull { return (records, false) }
    }
    return (records, true)
  }

  /// The number of entries after a place, from the blocks' own counts.
  func count(after place: FleetPlace, before end: (sequence: Int, block: UInt32)) throws(SystemError) -> Int {
    var count = 0
    for segment in try folder.segments() where (place.segment...end.sequence).contains(segment.sequence) {
      let first = segment.sequence == place.segment ? UInt32(place.block) : 0
      let last = segment.sequence == end.sequence ? end.block : .max
      forEachBlock(of: segment, from: first, until: last) { _, index, entries in
        for (number, entry) in entries.enumerated() {
          guard case .fix = entry, FleetPlace(segment: segment.sequence, block: Int(index), entry: number) > place else {
            continue
          }
          count += 1
        }
        return true
      }
    }
    return count
  }

  /// Calls `body` with the intact blocks of a segment until it returns `false`.
  private func forEachBlock(
    of segment: SegmentFile, from first: UInt32, until last: UInt32,
    _ body: (SegmentHeader, UInt32, [TrackEntry]) -> Bool
  ) {
    guard let header = folder.header(of: segment.sequence), header.encryption == nil,
      let file = try? InputFile(path: folder.path(of: segment.sequence))
    else { return }
    let decoder = TrackBlockDecoder(segment: header.number, sources: header.sources)
    let start = UInt32(SegmentHeader.blocksOffset / TrackBlock.size)
    var block = [UInt8](repeating: 0, count: TrackBlock.size)
    for index in max(start, first)..<max(start, first, min(last, UInt32(segment.size / TrackBlock.size))) {
      guard (try? file.read(into: &block, at: Int(index) * TrackBlock.size)) == TrackBlock.size else { return }
      guard let entries = try? decoder.entries(block.span, index: index) else { continue }
      guard body(header, index, entries) else { return }
    }
  }

  /// All positions of one segment.
  func fixes(of segment: SegmentFile) -> [PositionFix] {
    var fixes: [PositionFix] = []
    forEachBlock(of: segment, from: 0, until: .max) { _, _, entries in
      for case .fix(let fix) in entries { fixes.append(fix) }
      return true
    }
    return fixes
  }
}
