package import Geodesy
package import LinuxIO

/// Reads a log's track from the oldest entry to the newest, a block at a time: its memory does not grow with the track.
///
/// What is damaged is left out and counted; where that leaves a hole, an interruption of the kind `gap` stands in its place, so
/// that nothing is drawn across it. It can read while a writer writes: it sees the segments that there are when it begins.
package struct TrackReader: ~Copyable {
  private let folder: TrackFolder
  private let key: OwnerKey?
  private var selection: TrackSelection
  private var rest: ArraySlice<SegmentFile>
  private var segment: SegmentReader?
  /// What of the current block has not been told, the last first.
  private var entries: [TrackEntry] = []

  /// What had to be left out so far.
  package private(set) var damage = TrackDamage()

  /// Begins to read the fixes with times from `from` to `to`, both among them, and the interruptions between those; all
  /// where neither is given. A folder that is not there is an empty track.
  ///
  /// - Parameter key: opens what is sealed; without it, that counts as damaged.
  package init(
    folder: TrackFolder, from: GNSSTime? = nil, to: GNSSTime? = nil, key: OwnerKey? = nil
  ) throws(SystemError) {
    self.init(folder, TrackSelection(from: from, to: to), key, rest: try folder.segments()[...])
  }

  private init(_ folder: TrackFolder, _ selection: TrackSelection, _ key: OwnerKey?, rest: ArraySlice<SegmentFile>) {
    self.folder = folder
    self.selection = selection
    self.key = key
    self.rest = rest
  }

  /// The next entry; `nil` at the end.
  package mutating func next() -> TrackEntry? {
    while entries.isEmpty {
      let block = segment?.next(&damage)
      if segment?.takeHole() ?? false { selection.noteHole() }
      if let block {
        entries = selection.take(block).reversed()
      } else {
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
      segment = SegmentReader(path: folder.path(of: file.sequence), key: key, damage: &damage)
      if segment != nil { return true }
      if damage != before { selection.noteHole() }
    }
    return false
  }

  private func isOutside(_ file: SegmentFile) -> Bool {
    guard selection.from != nil || selection.to != nil else { return false }
    return folder.header(of: file.sequence).map { selection.excludes($0) } ?? false
  }
}

/// What of a track is told, block by block: the fixes of a range of times and the interruptions between them, with one of the kind
/// `gap` where something that is damaged was left out.
struct TrackSelection {
  let from: GNSSTime?
  let to: GNSSTime?
  /// Interruptions before the next fix.
  private var interruption: TrackInterruption?
  private var hasHole = false

  /// The fixes with times from `from` to `to`, both among them; all where neither is given.
  init(from: GNSSTime?, to: GNSSTime?) {
    self.from = from
    self.to = to
  }

  /// Something was left out here.
  mutating func noteHole() { hasHole = true }

  /// What is told of the entries of the next block.
  mutating func take(_ block: [TrackEntry]) -> [TrackEntry] {
    var told: [TrackEntry] = []
    told.reserveCapacity(block.count + 1)
    if hasHole, case .fix? = block.first { add(.interruption(.gap), &told) }
    hasHole = false
    for entry in block { add(entry, &told) }
    return told
  }

  private mutating func add(_ entry: TrackEntry, _ told: inout [TrackEntry]) {
    if from == nil, to == nil { return told.append(entry) }
    switch entry {
    case .interruption(let interruption): self.interruption = interruption
    case .fix(let fix):
      defer { interruption = nil }
      if from.map({ fix.time < $0 }) ?? false || to.map({ fix.time > $0 }) ?? false { return }
      if let interruption { told.append(.interruption(interruption)) }
      told.append(entry)
    }
  }

  /// Whether a segment says that all its fixes are of a day outside the range. Its first fix alone tells nothing of the others:
  /// a date may have been mended after it.
  func excludes(_ header: SegmentHeader) -> Bool {
    guard header.isOneDay, let day = header.time.date else { return false }
    return from?.date.map { day < $0 } ?? false || to?.date.map { day > $0 } ?? false
  }
}

/// What a reader had to leave out: nothing of it was told as a record.
package struct TrackDamage: Hashable, Sendable {
  /// Blocks that do not hold what was written, of a segment that can be read.
  package var blocks = 0
  /// Segments of which neither copy of the header can be read.
  package var segments = 0
  /// Segments that cannot be opened or read on.
  package var files = 0

  package init() {}
}
