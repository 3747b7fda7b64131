package import Geodesy
package import LinuxIO

/// The imported fixes of a log: one file for each UTC day that has any, `2026-03-01.track`, in the folder `imported` of
/// the log's own folder. A file has the form of a segment, and its fixes are in chronological order.
///
/// The file of a day is never changed in place: a new file, with the new fixes merged in, replaces the old one when it
/// is complete. A process that is killed leaves each day as it was before or after the import.
package struct ImportedFolder: Hashable, Sendable {
  package let path: String
  /// The log's own folder, with the recorded segments.
  let recorded: TrackFolder

  package init(of recorded: TrackFolder) {
    self.recorded = recorded
    path = "\(recorded.path)/imported"
  }

  /// The days in chronological order; empty if nothing was ever imported.
  package func days() throws(SystemError) -> [ImportedDay] {
    try PrivateFolder.files(in: path) { file in
      ImportedDay.date(of: file.name).map {
        ImportedDay(date: $0, size: file.size, sizeOnDisk: file.sizeOnDisk, version: file.version)
      }
    }.sorted { $0.date < $1.date }
  }

  /// The path of a day's file.
  package func path(of date: CalendarDate) -> String { "\(path)/\(ImportedDay.name(date))" }

  /// The header of a day's file; `nil` if it cannot be read.
  package func header(of date: CalendarDate) -> SegmentHeader? {
    guard var input = try? SegmentInput(path: path(of: date)), let bytes = try? input.read(SegmentHeader.blocksOffset)
    else { return nil }
    return SegmentHeader.either(bytes.span)
  }

  /// The time of the first fix of these days, from the header of the first day; `nil` if there is no day or the header
  /// cannot be read.
  package func begin(of days: [ImportedDay]) -> GNSSTime? { days.first.flatMap { header(of: $0.date)?.time } }

  /// The time of the last readable fix of these days; `nil` if there is none.
  package func end(of days: [ImportedDay]) -> GNSSTime? {
    for day in days.reversed() {
      if let header = header(of: day.date), let fix = header.lastFix(in: path(of: day.date), size: day.size) {
        return fix.time
      }
    }
    return nil
  }

  /// The figures of a day, which is read from beginning to end.
  func figures(of day: ImportedDay) -> TrackFigures { TrackFigures(ofFile: path(of: day.date)) }

  /// Deletes the incomplete files of processes that were killed during an import. Does nothing while a process imports
  /// into the log, because that process holds the folder's lock.
  package func removeIncomplete() throws(SystemError) {
    let incomplete = try PrivateFolder.files(in: path) { ImportedDay.isIncomplete($0.name) ? $0.name : nil }
    guard !incomplete.isEmpty else { return }
    let lock: FolderLock
    do throws(SystemError) {
      lock = try FolderLock(path)
    } catch {
      guard error.isHeldByOther else { throw error }
      return
    }
    // Listed again: a process that has completed its import in the meantime has renamed its file.
    for name in try PrivateFolder.files(in: path, { ImportedDay.isIncomplete($0.name) ? $0.name : nil }) {
      try FileChange.remove("\(path)/\(name)")
    }
    withExtendedLifetime(lock) {}
  }

  /// Deletes all days, and the files of killed processes.
  package func removeAll() throws(SystemError) {
    do throws(SystemError) {
      for file in try PrivateFolder.files(in: path) { try FileChange.remove("\(path)/\(file.name)") }
    } catch {
      guard error.isAbsence else { throw error }
      return
    }
    PrivateFolder.removeEmpty(path)
  }
}

/// A day with imported fixes.
package struct ImportedDay: Hashable, Sendable {
  package let date: CalendarDate
  /// Length in bytes.
  package let size: Int
  /// Bytes that the file occupies in the file system.
  package let sizeOnDisk: Int
  /// `nil` if the version is unknown.
  let version: FileVersion?

  /// `2026-03-01.track`.
  static func name(_ date: CalendarDate) -> String {
    func digits(_ number: Int, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(digits(Int(date.year), 4))-\(digits(Int(date.month), 2))-\(digits(Int(date.day), 2)).track"
  }

  /// Whether a name is that of an incomplete file of a day: `2026-03-01.track.4711.new`, with the ID of the writing
  /// process (`NewFile`).
  static func isIncomplete(_ name: String) -> Bool {
    guard name.hasSuffix(".new") else { return false }
    let parts = name.dropLast(4)
    guard let dot = parts.lastIndex(of: ".") else { return false }
    let process = parts[parts.index(after: dot)...]
    return !process.isEmpty && process.utf8.allSatisfy { (0x30...0x39).contains($0) }
      && date(of: String(parts[..<dot])) != nil
  }

  /// The date in a file's name; `nil` for other files.
  static func date(of name: String) -> CalendarDate? {
    let parts = name.dropLast(6).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      let date = CalendarDate(year: year, month: month, day: day), self.name(date) == name
    else { return nil }
    return date
  }
}

/// Why fixes cannot be imported into a log.
package enum ImportError: Error, Hashable, Sendable {
  /// Another process is importing into this log.
  case inUse
  /// The file system is too full: less space is free than required.
  case noRoom(free: Int, needed: Int)
  /// The log would exceed its maximum size.
  case full(megabytes: Int)
  case system(SystemError)
}
