package import Geodesy
import LinuxIO
package import LocationPolicy

/// Collects imported fixes of a log in any order, and merges them into its days. A fix that is already in the log,
/// recorded or imported, with the same time and position, is not added again.
///
/// Collected fixes are lost if the process ends; once `flush` has returned, its fixes survive any failure. Importing
/// the same file again completes an interrupted import.
package struct TrackImporter {
  /// The number of collected fixes at which `isFull` becomes true.
  package static let capacity = 20_000
  /// Maximum number of days that one `flush` writes, so that its time is bounded even on a slow card.
  package static let daysAtOnce = 32
  /// An upper estimate of the bytes of a fix on disk; the mean is below 20.
  private static let fixSize = 48

  private let folder: ImportedFolder
  private let log: String
  private let retention: LogRetention
  private let freeShare: Double
  private let now: GNSSTime?
  private var collected: [ImportedFix] = []
  private var isSorted = true
  /// Whether the next fix is not connected to the previous one.
  private var isInterrupted = true

  /// The numbers of fixes that were added, that were already in the log, and that are older than the retention limit.
  package private(set) var added = 0
  package private(set) var known = 0
  package private(set) var tooOld = 0
  /// The figures of the days that were written since the last call of `takeFigures`.
  private var figures: [CalendarDate: TrackFigures] = [:]

  /// - Parameters:
  ///   - freeShare: the fraction of the file system that stays free, 0…1.
  ///   - now: the current time; `nil` if it is unknown: then nothing counts as too old.
  package init(
    into folder: TrackFolder, log: String, retention: LogRetention, freeShare: Double = 0.05, now: GNSSTime?
  ) {
    self.folder = ImportedFolder(of: folder)
    self.log = log
    self.retention = retention
    self.freeShare = freeShare
    self.now = now
  }

  package var isFull: Bool { collected.count >= Self.capacity }
  /// The number of fixes that are not on disk yet.
  package var waiting: Int { collected.count }

  /// Collects an entry. Ignores a fix without a valid position or time.
  package mutating func add(_ entry: TrackEntry) {
    guard case .fix(var fix) = entry else { return isInterrupted = true }
    fix.isImported = true
    // The names of the devices belong to another machine.
    (fix.device, fix.receiver) = (nil, nil)
    // The offset between the clocks has no meaning, and a constant one takes no room.
    fix.receivedAt = Instant(nanoseconds: fix.time.nanosecondsSince1970)
    guard fix.time.date != nil, TrackRow(fix, source: 0, previous: TrackRow()) != nil else { return }
    if case .days(let days) = retention, let now, fix.time < now + .seconds(-86_400 * days) {
      tooOld += 1
      isInterrupted = true
      return
    }
    if let last = collected.last, fix.time < last.fix.time { isSorted = false }
    collected.append(ImportedFix(fix, afterInterruption: isInterrupted))
    isInterrupted = false
  }

  /// Merges the oldest collected days into the log and waits until they are on disk; call this until `waiting` is zero.
  /// After an error the fixes of the days that were not written are still collected.
  package mutating func flush() throws(ImportError) {
    guard !collected.isEmpty else { return }
    sort()
    let lock = try lock()
    try writeDays()
    withExtendedLifetime(lock) {}
  }

  /// The figures of the days that were written since the last call.
  package mutating func takeFigures() -> [CalendarDate: TrackFigures] {
    defer { figures = [:] }
    return figures
  }

  private func lock() throws(ImportError) -> FolderLock {
    do throws(SystemError) {
      try PrivateFolder.make(folder.path)
      return try FolderLock(folder.path)
    } catch {
      throw error.isHeldByOther ? .inUse : .system(error)
    }
  }

  private mutating func writeDays() throws(ImportError) {
    var written = 0
    defer { collected.removeFirst(written) }
    var days = 0
    while written < collected.count, days < Self.daysAtOnce, let date = collected[written].fix.time.date {
      let end = collected[written...].firstIndex { $0.fix.time.date != date } ?? collected.count
      let (added, known) = try merge(Array(collected[written..<end]), into: date)
      self.added += added
      self.known += known
      (written, days) = (end, days + 1)
    }
    do throws(SystemError) {
      try PrivateFolder.synchronize(folder.path)
    } catch {
      throw .system(error)
    }
  }

  private mutating func sort() {
    guard !isSorted else { return }
    isSorted = true
    // Fixes with the same time keep their order.
    let order = collected.indices.sorted { (collected[$0].fix.time, $0) < (collected[$1].fix.time, $1) }
    collected = order.map { collected[$0] }
  }

  // MARK: - One day

  private mutating func merge(_ fixes: [ImportedFix], into date: CalendarDate) throws(ImportError) -> (
    added: Int, known: Int
  ) {
    let day = ImportedDay(date: date, size: 0, sizeOnDisk: 0, version: nil)
    let isKnown = knownFixes(of: fixes, on: day)
    let new = zip(fixes, isKnown).filter { !$0.1 }.map(\.0)
    guard !new.isEmpty else { return (0, fixes.count) }
    try checkRoom(for: new.count, on: date)
    do throws(SystemError) {
      figures[date] = try write(new, into: day)
    } catch {
      throw .system(error)
    }
    return (new.count, fixes.count - new.count)
  }

  /// Which of the fixes are already in the log, or repeat an earlier one of them.
  private func knownFixes(of fixes: [ImportedFix], on day: ImportedDay) -> [Bool] {
    var isKnown = [Bool](repeating: false, count: fixes.count)
    guard let first = fixes.first?.fix.time, let last = fixes.last?.fix.time else { return isKnown }
    for index in fixes.indices.dropFirst() {
      for earlier in fixes[..<index].indices.reversed() {
        guard fixes[index].fix.time - fixes[earlier].fix.time <= ImportedFix.timeTolerance else { break }
        if ImportedFix.isSame(fixes[index].fix, fixes[earlier].fix) {
          isKnown[index] = true
          break
        }
      }
    }
    func compare(_ fix: PositionFix) {
      let begin = fix.time + (.zero - ImportedFix.timeTolerance)
      var index = fixes.partitioningIndex { $0.fix.time >= begin }
      while index < fixes.count, fixes[index].fix.time <= fix.time + ImportedFix.timeTolerance {
        if !isKnown[index], ImportedFix.isSame(fixes[index].fix, fix) { isKnown[index] = true }
        index += 1
      }
    }
    let range = (
      from: first + (.zero - ImportedFix.timeTolerance), to: last + ImportedFix.timeTolerance
    )
    // There are no fixes to compare with in a track that cannot be read.
    if var recorded = try? TrackReader(recordedIn: folder.recorded, from: range.from, to: range.to) {
      while let entry = recorded.next() { if case .fix(let fix) = entry { compare(fix) } }
    }
    var imported = ImportedFixReader(folder, [day])
    while let fix = imported.next() { compare(fix.fix) }
    return isKnown
  }

  /// Writes the file of a day with the new fixes merged in; returns the figures of the whole day.
  private func write(_ new: [ImportedFix], into day: ImportedDay) throws(SystemError) -> TrackFigures? {
    let isOnDisk = try folder.days().contains { $0.date == day.date }
    var old = ImportedFixReader(folder, [day])
    var join = ImportedJoin()
    var head = old.next()
    guard let begin = [head?.fix.time, new.first?.fix.time].compactMap(\.self).min() else { return nil }
    var file = try ImportedDayFile(path: folder.path(of: day.date), log: log, time: begin)
    for fix in new {
      while let earlier = head, earlier.fix.time <= fix.fix.time {
        try file.append(earlier.fix, afterInterruption: join.isInterruption(before: earlier, of: 0))
        head = old.next()
      }
      try file.append(fix.fix, afterInterruption: join.isInterruption(before: fix, of: 1))
    }
    while let fix = head {
      try file.append(fix.fix, afterInterruption: join.isInterruption(before: fix, of: 0))
      head = old.next()
    }
    // Data that cannot be read must not be replaced: an error of the disk may be temporary.
    guard old.damage.files == 0 || !isOnDisk else {
      throw SystemError(operation: "read", errno: SystemError.unreadable)
    }
    let figures = file.figures
    try file.finish()
    return figures
  }

  // MARK: - Room

  /// Checks that the log stays within its maximum size, and that enough of the file system stays free.
  private func checkRoom(for count: Int, on date: CalendarDate) throws(ImportError) {
    let room: FileSystemCapacity
    let size: Int
    let days: [ImportedDay]
    do throws(SystemError) {
      days = try folder.days()
      size = try folder.recorded.segments().reduce(0) { $0 + $1.sizeOnDisk } + days.reduce(0) { $0 + $1.sizeOnDisk }
      room = try FileSystemCapacity(at: folder.path)
    } catch {
      throw .system(error)
    }
    let more = count * Self.fixSize + 4096
    if case .megabytes(let megabytes) = retention, size + more > megabytes * 1_000_000 {
      throw .full(megabytes: megabytes)
    }
    let old = days.first { $0.date == date }?.sizeOnDisk ?? 0
    let needed = Int(Double(room.total) * freeShare) + old + more
    guard room.free >= needed else { throw .noRoom(free: room.free, needed: needed) }
  }
}

/// Determines where fixes of two sources, in one chronological order, are not connected.
struct ImportedJoin {
  private var last: (time: GNSSTime, source: Int)?

  /// Whether an interruption precedes a fix: the fix has one, or it comes long after a fix of the other source.
  mutating func isInterruption(before fix: ImportedFix, of source: Int) -> Bool {
    defer { last = (fix.fix.time, source) }
    guard let last else { return fix.isAfterInterruption }
    return fix.isAfterInterruption || (last.source != source && fix.fix.time - last.time > ImportedFix.longestJoint)
  }
}
