import Geodesy

/// The figures of a log that is not encrypted, from those of its parts: recorded segments and imported days. A part is
/// read once, and again only if it has changed.
///
/// The figures of imported days that lie between recorded segments are added up. If an imported day and recorded
/// segments have fixes of the same time, they are read together, because the track leads from one to the other.
package struct LogFigures: Sendable {
  /// The parts of a log on disk.
  package struct Files: Sendable {
    package var segments: [SegmentFile]
    package var days: [ImportedDay]

    package init(segments: [SegmentFile], days: [ImportedDay]) { (self.segments, self.days) = (segments, days) }
  }

  /// The figures of segments that no longer change, by number.
  private var segments: [Int: TrackFigures] = [:]
  private var days: [ImportedDay: TrackFigures] = [:]
  private var mixtures: [Mixture: TrackFigures] = [:]

  /// Segments and days that are read together. The segments' own figures, and the files of the days as listed, show
  /// whether one of them has changed.
  private struct Mixture: Hashable {
    let segments: [Int: TrackFigures]
    let days: [ImportedDay]
  }

  package init() {}

  /// Stores the figures of a day that was just imported, so that its file need not be read.
  package mutating func note(_ figures: TrackFigures, of day: ImportedDay) { days[day] = figures }

  /// The figures of the whole log; `nil` if too much of it has not been read yet: the next call continues.
  ///
  /// - Parameters:
  ///   - current: the figures of the segments that this process writes; the newest may have no file yet.
  ///   - isChanging: whether another process may still write to the newest segment.
  ///   - budget: the number of bytes that may be read; the number of bytes read is subtracted.
  ///   - flush: writes the entries that `current` counts to disk.
  package mutating func sum(
    of folder: TrackFolder, _ files: Files, current: [Int: TrackFigures], isChanging: Bool, budget: inout Int,
    flush: () -> Void
  ) -> TrackFigures? {
    guard let recorded = recorded(folder, files.segments, current, isChanging, &budget),
      let imported = imported(folder, files.days, &budget)
    else { return nil }
    let spans = ImportedSpan.spans(of: imported.map(\.figures), among: recorded.map(\.figures))
    var sum = TrackFigures()
    var next = 0
    var used: [Mixture: TrackFigures] = [:]
    defer { mixtures = used }
    for span in spans {
      for part in recorded[next..<span.segments.lowerBound] { sum.join(part.figures) }
      next = span.segments.upperBound
      let (parts, days) = (recorded[span.segments], imported[span.days])
      guard !parts.isEmpty else {
        for day in days { sum.join(day.figures) }
        continue
      }
      let mixture = Mixture(
        segments: Dictionary(uniqueKeysWithValues: parts.map { ($0.sequence, $0.figures) }), days: days.map(\.day))
      if let known = mixtures[mixture] {
        used[mixture] = known
      } else {
        let size = parts.reduce(0) { $0 + $1.size } + days.reduce(0) { $0 + $1.day.size }
        guard budget >= size else { return nil }
        budget -= size
        if parts.contains(where: { current[$0.sequence] != nil }) { flush() }
        used[mixture] = Self.read(parts.map(\.sequence), days.map(\.day), in: folder)
      }
      if let figures = used[mixture] { sum.join(figures) }
    }
    for part in recorded[next...] { sum.join(part.figures) }
    return sum
  }

  // MARK: - Parts

  private typealias RecordedPart = (sequence: Int, size: Int, figures: TrackFigures)

  private mutating func recorded(
    _ folder: TrackFolder, _ files: [SegmentFile], _ current: [Int: TrackFigures], _ isChanging: Bool,
    _ budget: inout Int
  ) -> [RecordedPart]? {
    let kept = Set(files.map(\.sequence))
    segments = segments.filter { kept.contains($0.key) }
    var parts: [RecordedPart] = []
    for file in files {
      if let known = current[file.sequence] ?? segments[file.sequence] {
        parts.append((file.sequence, file.size, known))
        continue
      }
      guard budget >= file.size else { return nil }
      budget -= file.size
      let figures = folder.figures(of: file.sequence)
      parts.append((file.sequence, file.size, figures))
      if file != files.last || !isChanging { segments[file.sequence] = figures }
    }
    if let (sequence, figures) = current.max(by: { $0.key < $1.key }), sequence > files.last?.sequence ?? 0 {
      parts.append((sequence, 0, figures))
    }
    return parts
  }

  private mutating func imported(
    _ folder: TrackFolder, _ files: [ImportedDay], _ budget: inout Int
  ) -> [(day: ImportedDay, figures: TrackFigures)]? {
    let kept = Set(files)
    days = days.filter { kept.contains($0.key) }
    let imports = ImportedFolder(of: folder)
    var parts: [(day: ImportedDay, figures: TrackFigures)] = []
    for file in files {
      if let known = days[file] {
        parts.append((file, known))
        continue
      }
      guard budget >= file.size else { return nil }
      budget -= file.size
      let figures = imports.figures(of: file)
      days[file] = figures
      parts.append((file, figures))
    }
    return parts
  }

  private static func read(_ segments: [Int], _ days: [ImportedDay], in folder: TrackFolder) -> TrackFigures {
    var figures = TrackFigures()
    var reader = TrackReader(folder, segments: segments, days: days)
    var interruption: TrackInterruption?
    var endsImported = false
    while let entry = reader.next() {
      switch entry {
      case .interruption(let found): interruption = found
      case .fix(let fix):
        if let found = interruption.take() { figures.add(.interruption(found)) }
        figures.add(entry)
        endsImported = fix.isImported
      }
    }
    // An interruption of the recording does not separate imported fixes.
    if let interruption, !endsImported { figures.add(.interruption(interruption)) }
    return figures
  }
}

/// Imported days at one place among recorded segments.
struct ImportedSpan: Hashable {
  /// The indices of the days.
  var days: Range<Int>
  /// The indices of the segments with fixes of the same time. If there are none, the range is empty, and the days lie
  /// before the segment with the index of its lower bound.
  var segments: Range<Int>

  /// The spans of all days, in chronological order. Fixes within `ImportedFix.longestJoint` of each other count as
  /// fixes of the same time: the track leads from one to the other without an interruption.
  static func spans(of days: [TrackFigures], among segments: [TrackFigures]) -> [ImportedSpan] {
    // The latest end among the segments up to each one, and the earliest beginning among those from each one on: a
    // clock may have been set back.
    var ends = segments.map { $0.end ?? .distantPast }
    for index in ends.indices.dropFirst() { ends[index] = max(ends[index], ends[index - 1]) }
    var begins = segments.map { $0.begin ?? .distantFuture }
    for index in begins.indices.dropLast().reversed() { begins[index] = min(begins[index], begins[index + 1]) }
    var spans: [ImportedSpan] = []
    for (number, day) in days.enumerated() {
      guard let begin = day.begin, let end = day.end else { continue }
      let first = ends.partitioningIndex { $0 >= begin + (.zero - ImportedFix.longestJoint) }
      let last = begins.partitioningIndex { $0 > end + ImportedFix.longestJoint }
      let span = ImportedSpan(days: number..<number + 1, segments: first..<max(first, last))
      if let before = spans.last, span.segments.lowerBound < before.segments.upperBound {
        let upper = max(before.segments.upperBound, span.segments.upperBound)
        spans[spans.count - 1] = ImportedSpan(
          days: before.days.lowerBound..<number + 1, segments: before.segments.lowerBound..<upper)
      } else {
        spans.append(span)
      }
    }
    return spans
  }
}
