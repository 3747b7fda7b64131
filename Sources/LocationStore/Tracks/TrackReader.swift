package import Geodesy
package import LinuxIO

/// Reads a log's track from the oldest entry to the newest, a block at a time: its memory does not grow with the track.
///
/// What is damaged is left out and counted; where that leaves a hole, an interruption of the kind `gap` stands in its place, so
/// that nothing is drawn across it. It can read while a writer writes: it sees the segments that there are when it begins.
package struct TrackReader: ~Copyable {
  private let folder: TrackFolder
  private let from: GNSSTime?
  private let to: GNSSTime?
  private var rest: ArraySlice<SegmentFile>
  private var segment: SegmentReader?
  /// What of the current block has not been told, the last first.
  private var entries: [TrackEntry] = []
  /// Interruptions before the next fix.
  private var interruptions: [TrackInterruption] = []
  private var hasHole = false

  /// What had to be left out so far.
  package private(set) var damage = TrackDamage()

  /// Begins to read the fixes with times from `from` to `to`, both among them, and the interruptions between those; all
  /// where neither is given. A folder that is not there is an empty track.
  package init(folder: TrackFolder, from: GNSSTime? = nil, to: GNSSTime? = nil) throws(SystemError) {
    self.init(folder, from, to, rest: try folder.segments()[...])
  }

  private init(_ folder: TrackFolder, _ from: GNSSTime?, _ to: GNSSTime?, rest: ArraySlice<SegmentFile>) {
    self.folder = folder
    self.from = from
    self.to = to
    self.rest = rest
  }

  /// The next entry; `nil` at the end.
  package mutating func next() -> TrackEntry? {
    while let entry = nextRecorded() {
      guard case .fix(let fix) = entry else {
        if from == nil, to == nil { return entry }
        if case .interruption(let interruption) = entry { interruptions = [interruption] }
        continue
      }
      if from.map({ fix.time < $0 }) ?? false || to.map({ fix.time > $0 }) ?? false {
        interruptions = []
        continue
      }
      guard let interruption = interruptions.popLast() else { return entry }
      entries.append(entry)
      return .interruption(interruption)
    }
    return nil
  }

  /// The next entry of any time.
  private mutating func nextRecorded() -> TrackEntry? {
    while entries.isEmpty {
      if let block = segment?.next(&damage) {
        entries = block.reversed()
        if segment?.takeHole() ?? false { hasHole = true }
        if hasHole, case .fix? = entries.last { entries.append(.interruption(.gap)) }
        hasHole = false
      } else {
        if segment?.takeHole() ?? false { hasHole = true }
        guard openNext() else { return nil }
      }
    }
    return entries.popLast()
  }

  /// Opens the next segment that may hold something of the range; `false` where there is none.
  private mutating func openNext() -> Bool {
    segment = nil
    while let file = rest.popFirst() {
      if isOutside(file) { continue }
      let before = damage
      segment = SegmentReader(path: folder.path(of: file.sequence), damage: &damage)
      if segment != nil { return true }
      if damage != before { hasHole = true }
    }
    return false
  }

  /// Whether a segment says that all its fixes are of a day outside the range. Its first fix alone tells nothing of the others:
  /// a date may have been mended after it.
  private func isOutside(_ file: SegmentFile) -> Bool {
    guard from != nil || to != nil, let header = folder.header(of: file.sequence), header.isOneDay,
      let day = header.time.date
    else { return false }
    return from?.date.map { day < $0 } ?? false || to?.date.map { day > $0 } ?? false
  }
}
