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
      try forEachBlock(of: segment, from: first, until: last) { header, index, entries in
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
      try forEachBlock(of: segment, from: first, until: last) { _, index, entries in
        for (number, entry) in entries.enumerated() {
          guard case .fix = entry, FleetPlace(segment: segment.sequence, block: Int(index), entry: number) > place
          else {
            continue
          }
          count += 1
        }
        return true
      }
    }
    return count
  }

  /// Calls `body` with the intact blocks of a segment until it returns `false`. Throws if the file is there and cannot be read: what
  /// is in it must not count as sent.
  private func forEachBlock(
    of segment: SegmentFile, from first: UInt32, until last: UInt32,
    _ body: (SegmentHeader, UInt32, [TrackEntry]) -> Bool
  ) throws(SystemError) {
    let file: InputFile
    do throws(InputFileError) {
      file = try InputFile(path: folder.path(of: segment.sequence))
    } catch {
      switch error {
      // It has been deleted since the folder was read.
      case .doesNotExist, .isNotARegularFile: return
      case .system(let error): throw error
      }
    }
    var start = [UInt8](repeating: 0, count: SegmentHeader.blocksOffset)
    guard try file.read(into: &start, at: 0) == SegmentHeader.blocksOffset,
      let header = SegmentHeader.either(start.span), header.encryption == nil
    else { return }
    let decoder = TrackBlockDecoder(segment: header.number, sources: header.sources)
    let begin = max(first, UInt32(SegmentHeader.blocksOffset / TrackBlock.size))
    var block = [UInt8](repeating: 0, count: TrackBlock.size)
    for index in begin..<max(begin, min(last, UInt32(segment.size / TrackBlock.size))) {
      guard try file.read(into: &block, at: Int(index) * TrackBlock.size) == TrackBlock.size else { return }
      guard let entries = try? decoder.entries(block.span, index: index) else { continue }
      guard body(header, index, entries) else { return }
    }
  }

  /// All positions of one segment.
  func fixes(of segment: SegmentFile) throws(SystemError) -> [PositionFix] {
    var fixes: [PositionFix] = []
    try forEachBlock(of: segment, from: 0, until: .max) { _, _, entries in
      for case .fix(let fix) in entries { fixes.append(fix) }
      return true
    }
    return fixes
  }
}
