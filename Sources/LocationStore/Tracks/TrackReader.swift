package import Geodesy
package import LinuxIO

/// Reads a log's track, oldest entry first, one block at a time, so that its memory use does not depend on the track's
/// size.
///
/// Damaged parts are skipped and counted. Where that leaves a hole, the reader returns an interruption of the kind
/// `gap`, so that no line is drawn across it. A track can be read while it is recorded: the reader sees the segments
/// that exist when it starts.
///
/// Imported fixes are merged with the recorded ones in chronological order.
package struct TrackReader: ~Copyable {
  private let folder: TrackFolder
  private let key: OwnerKey?
  private var selection: TrackSelection
  private var rest: ArraySlice<SegmentFile>
  /// The end of the recorded entries to be read; `nil` for everything that the segments contain when they are read.
  private var until: TrackPosition?
  private var segment: SegmentReader?
  /// Entries of the current block that were not returned yet, in reverse order.
  private var entries: [TrackEntry] = []
  /// `nil` if nothing was imported, or all imported fixes have been read.
  private var imported: ImportedFixReader?
  /// `nil` if nothing was imported.
  private var merge: TrackMerge?
  private var recordedDamage = TrackDamage()
  private var importedDamage = TrackDamage()

  /// The damage found so far.
  package var damage: TrackDamage { recordedDamage + importedDamage }

  /// Starts to read the fixes with times from `from` to `to`, both included, and the interruptions between them; all if
  /// neither is given. A missing folder is an empty track.
  ///
  /// - Parameters:
  ///   - key: decrypts encrypted segments; without it they count as damaged.
  ///   - until: entries recorded from this position on are not read; `nil`: everything that the segments contain when
  ///     they are read.
  package init(
    folder: TrackFolder, from: GNSSTime? = nil, to: GNSSTime? = nil, key: OwnerKey? = nil, until: TrackPosition? = nil
  ) throws(SystemError) {
    let days = try ImportedFolder(of: folder).days().filter { day in
      !(from?.date.map { day.date < $0 } ?? false) && !(to?.date.map { day.date > $0 } ?? false)
    }
    self.init(folder, TrackSelection(from: from, to: to), key, rest: try folder.segments()[...], days)
    self.until = until
  }

  /// The same without imported fixes.
  init(recordedIn folder: TrackFolder, from: GNSSTime?, to: GNSSTime?) throws(SystemError) {
    self.init(folder, TrackSelection(from: from, to: to), nil, rest: try folder.segments()[...], [])
  }

  /// Reads these segments and imported days.
  init(_ folder: TrackFolder, segments: [Int], days: [ImportedDay]) {
    self.init(
      folder, TrackSelection(from: nil, to: nil), nil,
      rest: segments.map { SegmentFile(sequence: $0, size: 0, sizeOnDisk: 0) }[...], days)
  }

  private init(
    _ folder: TrackFolder, _ selection: TrackSelection, _ key: OwnerKey?, rest: ArraySlice<SegmentFile>,
    _ days: [ImportedDay]
  ) {
    self.folder = folder
    self.selection = selection
    self.key = key
    self.rest = rest
    guard !days.isEmpty else { return }
    imported = ImportedFixReader(ImportedFolder(of: folder), days)
    merge = TrackMerge()
  }

  /// The next entry; `nil` at the end.
  package mutating func next() -> TrackEntry? {
    guard merge != nil else { return nextRecorded() }
    while true {
      if let entry = merge?.next() { return entry }
      switch merge?.need {
      case .recorded:
        let entry = nextRecorded()
        merge?.receive(recorded: entry)
      case .imported:
        let fix = nextImported()
        merge?.receive(imported: fix)
      case nil: return nil
      }
    }
  }

  private mutating func nextImported() -> ImportedFix? {
    var fix = imported?.next()
    while let found = fix, isOutside(found.fix.time) { fix = imported?.next() }
    if let damage = imported?.damage { importedDamage = damage }
    if fix == nil { imported = nil }
    return fix
  }

  private func isOutside(_ time: GNSSTime) -> Bool {
    selection.from.map { time < $0 } ?? false || selection.to.map { time > $0 } ?? false
  }

  private mutating func nextRecorded() -> TrackEntry? {
    while entries.isEmpty {
      let block = segment?.next(&recordedDamage)
      if segment?.takeHole() ?? false { selection.noteHole() }
      if let block {
        entries = selection.select(block).reversed()
      } else {
        guard openNext() else { return nil }
      }
    }
    return entries.popLast()
  }

  /// Opens the next segment that may contain entries of the range; returns `false` if there is none.
  private mutating func openNext() -> Bool {
    segment = nil
    while let file = rest.popFirst() {
      if isOutside(file) { continue }
      let before = recordedDamage
      let limit = until.flatMap { $0.sequence == file.sequence ? $0.block : nil }
      segment = SegmentReader(
        path: folder.path(of: file.sequence), key: key, until: limit ?? .max, damage: &recordedDamage)
      if segment != nil { return true }
      if recordedDamage != before { selection.noteHole() }
    }
    return false
  }

  private func isOutside(_ file: SegmentFile) -> Bool {
    guard selection.from != nil || selection.to != nil else { return false }
    return folder.header(of: file.sequence).map { selection.excludes($0) } ?? false
  }
}

/// A place in a track that is being recorded.
package struct TrackPosition: Hashable, Sendable {
  let sequence: Int
  /// The index in the file of the first block after this place.
  let block: UInt32
}

/// Selects the entries to return, block by block: the fixes of a time range and the interruptions between them, with an
/// interruption of the kind `gap` where damaged parts were skipped.
struct TrackSelection {
  let from: GNSSTime?
  let to: GNSSTime?
  /// The interruption before the next fix.
  private var interruption: TrackInterruption?
  private var hasHole = false

  /// The fixes with times from `from` to `to`, both included; all if neither is given.
  init(from: GNSSTime?, to: GNSSTime?) {
    self.from = from
    self.to = to
  }

  /// Records that something was skipped here.
  mutating func noteHole() { hasHole = true }

  /// The selected entries of the next block.
  mutating func select(_ block: [TrackEntry]) -> [TrackEntry] {
    var reported: [TrackEntry] = []
    reported.reserveCapacity(block.count + 1)
    if hasHole, case .fix? = block.first { add(.interruption(.gap), &reported) }
    hasHole = false
    for entry in block { add(entry, &reported) }
    return reported
  }

  private mutating func add(_ entry: TrackEntry, _ reported: inout [TrackEntry]) {
    if from == nil, to == nil { return reported.append(entry) }
    switch entry {
    case .interruption(let interruption): self.interruption = interruption
    case .fix(let fix):
      defer { interruption = nil }
      if from.map({ fix.time < $0 }) ?? false || to.map({ fix.time > $0 }) ?? false { return }
      if let interruption { reported.append(.interruption(interruption)) }
      reported.append(entry)
    }
  }

  /// Whether, according to the header, all fixes of a segment are of a day outside the range. The date of the first fix
  /// alone is not sufficient, because the date may have been corrected after it.
  func excludes(_ header: SegmentHeader) -> Bool {
    guard header.isOneDay, let day = header.time.date else { return false }
    return from?.date.map { day < $0 } ?? false || to?.date.map { day > $0 } ?? false
  }
}

/// Damage that a reader skipped; none of it was returned as an entry.
package struct TrackDamage: Hashable, Sendable {
  /// Blocks with invalid content, in segments that can be read.
  package var blocks = 0
  /// Segments without a readable copy of the header, or encrypted ones that the key does not decrypt.
  package var segments = 0
  /// Segments that cannot be opened or read to the end.
  package var files = 0

  package init() {}

  static func + (one: TrackDamage, other: TrackDamage) -> TrackDamage {
    var sum = one
    sum.blocks += other.blocks
    sum.segments += other.segments
    sum.files += other.files
    return sum
  }
}
