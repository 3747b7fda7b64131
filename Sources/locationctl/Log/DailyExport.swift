import Geodesy
import LinuxIO
import TrackFormats

/// Writes a log into a file for each local day. A file that exists is kept, so that a daily run adds only the days that are missing.
final class DailyExport {
  private let log: String
  private let pattern: String
  private let format: TrackFormat
  private let replaces: Bool
  private var day: LocalPeriod?
  /// The file of `day`; `nil`: it exists already.
  private var file: DayFile?
  private var written: Set<String> = []
  private(set) var kept = 0

  /// - Parameters:
  ///   - pattern: the path of the files, with `%Y`, `%m` and `%d`.
  ///   - replaces: whether a file that exists is replaced.
  init(log: String, pattern: String, format: TrackFormat, replaces: Bool) {
    (self.log, self.pattern, self.format, self.replaces) = (log, pattern, format, replaces)
  }

  /// The number of files that were written.
  var count: Int { written.count }

  /// Adds one entry; returns the exit status if it cannot be written.
  func add(_ entry: TrackEntry) -> CommandStatus? {
    guard case .fix(let fix) = entry else { return file?.export.add(entry) }
    if day?.range.contains(fix.time) != true {
      if let status = finishDay() { return status }
      day = LocalPeriod(.day, containing: fix.time)
      if let status = beginDay() { return status }
    }
    return file?.export.add(entry)
  }

  /// Completes the file of the last day; returns the exit status if that fails.
  func finish() -> CommandStatus? { finishDay() }

  private func beginDay() -> CommandStatus? {
    guard let day, let path = day.path(pattern) else { return nil }
    do throws(SystemError) {
      // A clock that was set back returns to a day whose file this run has written; that file is kept.
      file = try DayFile(
        path, format, name: "\(log) \(day.text) (\(day.zone))", replacing: replaces && !written.contains(path))
    } catch {
      guard error.isExistence else { return LogExportRun.cannotWrite(path, error) }
      kept += 1
    }
    return nil
  }

  private func finishDay() -> CommandStatus? {
    guard let open = file.take() else { return nil }
    if let status = open.finish() { return status }
    written.insert(open.path)
    return nil
  }
}

/// The file of one day; removed if it is not completed.
private final class DayFile {
  let path: String
  private let target: ExportTarget
  var export: TrackExport

  init(_ path: String, _ format: TrackFormat, name: String, replacing: Bool) throws(SystemError) {
    let target = ExportTarget(try NewFile(path: path, replacing: replacing))
    (self.path, self.target) = (path, target)
    export = TrackExport(format, name: name) { target.write($0, path) }
  }

  func finish() -> CommandStatus? {
    let status = export.finish()
    guard status == .done else { return status }
    do throws(SystemError) {
      if let file = target.file.take() { try file.finish() }
      return nil
    } catch {
      return LogExportRun.cannotWrite(path, error)
    }
  }
}
