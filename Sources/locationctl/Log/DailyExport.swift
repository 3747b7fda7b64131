import Geodesy
import LinuxIO
import TrackFormats

/// Writes a log into one file for each local day that has ended. An existing file is kept unless it is to be replaced,
/// so that a daily run adds only the missing days.
final class DailyExport {
  /// Maximum number of days whose files are open at once. Several are needed, because a log returns to an earlier day
  /// after a clock was set back, or with fixes from the receiver's memory.
  private static let mostOpen = 8

  private let log: String
  private let pattern: String
  private let format: TrackFormat
  private let replaces: Bool
  private let now: GNSSTime
  /// The notes of all days.
  var notes: [TrackNote] = []
  /// The open days, the current one last.
  private var open: [Day] = []
  /// Days that are not open any more: their files are complete, or they got no file.
  private var finished: Set<LocalPeriod> = []
  private(set) var count = 0
  private(set) var kept = 0
  private(set) var unfinished: Set<LocalPeriod> = []

  private final class Day {
    let period: LocalPeriod
    /// `nil` if the file already exists, or if the day has not ended.
    let file: DayFile?

    init(_ period: LocalPeriod, _ file: DayFile?) { (self.period, self.file) = (period, file) }
  }

  /// - Parameters:
  ///   - pattern: the path of the files, with `%Y`, `%m` and `%d`.
  ///   - replaces: whether an existing file is replaced.
  ///   - now: a day that has not ended by this time is left out.
  init(log: String, pattern: String, format: TrackFormat, replaces: Bool, now: GNSSTime) {
    (self.log, self.pattern, self.format, self.replaces, self.now) = (log, pattern, format, replaces, now)
  }

  /// Adds one entry; returns the exit status if it cannot be written.
  func add(_ entry: TrackEntry) -> CommandStatus? {
    guard case .fix(let fix) = entry else { return open.last?.file?.export.add(entry) }
    if open.last?.period.range.contains(fix.time) != true {
      // If the log returns to this day later, the next fix is not connected to the last one.
      if let failure = open.last?.file?.export.add(.interruption(.gap)) { return failure }
      if let failure = select(fix.time) { return failure }
    }
    return open.last?.file?.export.add(entry)
  }

  /// Completes all files; returns the exit status if that fails.
  func finish() -> CommandStatus? {
    while !open.isEmpty {
      if let failure = finishOldest() { return failure }
    }
    return nil
  }

  /// Makes the day of `time` the last one of `open`.
  private func select(_ time: GNSSTime) -> CommandStatus? {
    if let index = open.firstIndex(where: { $0.period.range.contains(time) }) {
      open.append(open.remove(at: index))
      return nil
    }
    guard let period = LocalPeriod(.day, containing: time), let path = period.path(pattern) else { return nil }
    guard !finished.contains(period) else {
      return Diagnostics.report(
        FailureMessage(
          "The times in the log jump back to \(period.text) after at least \(Self.mostOpen) other days, probably because the clock was "
            + "wrong. Export at most \(Self.mostOpen) days at a time with --from and --to, and add "
            + "--force to replace the files that exist.", .badInput))
    }
    if open.count == Self.mostOpen, let failure = finishOldest() { return failure }
    guard period.range.upperBound <= now else {
      unfinished.insert(period)
      open.append(Day(period, nil))
      return nil
    }
    do throws(SystemError) {
      let name = "\(log) \(period.text) (\(period.zone))"
      open.append(
        Day(
          period,
          try DayFile(
            path, format, name: name, notes: notes.filter { period.range.contains($0.time) }, replacing: replaces)))
    } catch {
      guard error.isExistence, !replaces else { return LogExportRun.cannotWrite(path, error) }
      kept += 1
      open.append(Day(period, nil))
    }
    return nil
  }

  private func finishOldest() -> CommandStatus? {
    let day = open.removeFirst()
    finished.insert(day.period)
    guard let file = day.file else { return nil }
    if let failure = file.finish() { return failure }
    count += 1
    return nil
  }
}

/// The file of one day; removed if it is not completed.
private final class DayFile {
  let path: String
  private let target: ExportTarget
  var export: TrackExport

  init(_ path: String, _ format: TrackFormat, name: String, notes: [TrackNote], replacing: Bool) throws(SystemError) {
    let target = try ExportTarget(path: path, replacing: replacing)
    (self.path, self.target) = (path, target)
    export = TrackExport(format, name: name, notes: notes, created: GNSSTime.ofThisMachine, leavesRoom: true) {
      target.write($0, path)
    }
  }

  func finish() -> CommandStatus? {
    let status = export.finish()
    guard status == .done else { return status }
    return target.complete(export.correction, path)
  }
}
