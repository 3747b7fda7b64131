import Geodesy

/// Merges the recorded entries of a log with its imported fixes, in chronological order. Recorded entries keep their
/// own order, even where a clock was set back.
struct TrackMerge {
  enum Source { case recorded, imported }

  /// The next recorded fix, and the interruptions before it.
  private var interruptions: [TrackInterruption] = []
  private var recorded: PositionFix?
  private var imported: ImportedFix?
  private var hasRecorded = true
  private var hasImported = true
  private var last: (time: GNSSTime, source: Source)?
  /// Entries to return, in reverse order.
  private var ready: [TrackEntry] = []

  /// The source that has to provide its next entry; `nil` if none has to.
  var need: Source? {
    if hasImported, imported == nil { return .imported }
    if hasRecorded, recorded == nil { return .recorded }
    return nil
  }

  /// Receives the next recorded entry; `nil` if there are no more.
  mutating func receive(recorded entry: TrackEntry?) {
    switch entry {
    case .interruption(let interruption)?: if interruptions.count < 8 { interruptions.append(interruption) }
    case .fix(let fix)?: recorded = fix
    case nil: hasRecorded = false
    }
  }

  /// Receives the next imported fix; `nil` if there are no more.
  mutating func receive(imported fix: ImportedFix?) {
    imported = fix
    if fix == nil { hasImported = false }
  }

  /// The next entry; `nil` if more input is needed, or at the end.
  mutating func next() -> TrackEntry? {
    if let entry = ready.popLast() { return entry }
    guard need == nil else { return nil }
    if let fix = imported, recorded.map({ fix.fix.time <= $0.time }) ?? true {
      imported = nil
      add(fix.fix, after: fix.isAfterInterruption ? [.gap] : [], of: .imported)
    } else if let fix = recorded {
      recorded = nil
      add(fix, after: interruptions, of: .recorded)
      interruptions = []
    } else if !interruptions.isEmpty {
      ready = interruptions.reversed().map { .interruption($0) }
      interruptions = []
    }
    return ready.popLast()
  }

  private mutating func add(_ fix: PositionFix, after interruptions: [TrackInterruption], of source: Source) {
    var interruptions = interruptions
    if interruptions.isEmpty, let last, last.source != source, fix.time - last.time > ImportedFix.longestJoint {
      interruptions = [.gap]
    }
    last = (fix.time, source)
    ready = [.fix(fix)] + interruptions.reversed().map { .interruption($0) }
  }
}
