import Geodesy

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
