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
