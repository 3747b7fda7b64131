import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore

/// A client's import into a log, until it has finished.
final class LogImport {
  let client: ClientID
  let log: IndexedLog
  private let folder: TrackFolder
  private var importer: TrackImporter

  init(_ log: IndexedLog, in folder: TrackFolder, retention: LogRetention, now: GNSSTime?, for client: ClientID) {
    self.client = client
    self.log = log
    self.folder = folder
    importer = TrackImporter(into: folder, log: log.name, retention: retention, now: now)
  }

  var report: LogImportReport {
    LogImportReport(
      added: importer.added, known: importer.known, tooOld: importer.tooOld, waiting: importer.waiting)
  }

  /// Adds entries, and writes the oldest days if many fixes are waiting.
  func add(_ entries: [TrackEntry]) throws(ImportError) {
    for entry in entries { importer.add(entry) }
    // A flush writes a limited number of days.
    while importer.isFull {
      let waiting = importer.waiting
      try importer.flush()
      if importer.waiting == waiting { break }
    }
  }

  /// The imported days of the log.
  func days() throws(SystemError) -> [ImportedDay] { try ImportedFolder(of: folder).days() }

  /// The figures of the days that were written since the last call.
  func takeFigures() -> [CalendarDate: TrackFigures] { importer.takeFigures() }

  /// Writes the oldest days.
  func flush() throws(ImportError) { try importer.flush() }
}

/// Imports fixes of other programs' files. They are written to the log only: nothing else in the service receives them.
extension LogService {
  /// Maximum number of unfinished imports of all clients: with `TrackImporter.capacity` fixes each, about 50 MB.
  private static let maximumImports = 8

  func importEntries(
    _ entries: [TrackEntry], into name: String, _ id: RequestID, from client: ClientID, of requester: LogOwner?
  ) throws(DatabaseError) -> ServiceEvent {
    let open = try opened()
    let known = try open.index.logs()
    if !known.contains(where: { $0.name == name }) {
      guard known.count < MessageLimits.logs else {
        return .failed(id, .log(.tooManyLogs(limit: MessageLimits.logs)))
      }
      _ = try open.index.make(name, LogConfiguration(owner: requester), at: WallClock.now())
    }
    return try with(name, id, of: requester) { log, open throws(DatabaseError) in
      // Only the owner of the key could compare new fixes with those in the log.
      if let key = log.configuration.publicKey { return .failed(id, .log(.sealed(name: name, key: key.text))) }
      let running: LogImport
      if let begun = unfinished(log, of: client) {
        running = begun
      } else {
        guard imports.count < Self.maximumImports else {
          return .failed(id, .log(.tooManyReadings(limit: Self.maximumImports)))
        }
        running = begin(log, in: open.index.folder(of: log), for: client)
      }
      return try carryOut(running, id) { running throws(ImportError) in try running.add(entries) }
    }
  }

  func finishImport(
    into name: String, _ id: RequestID, from client: ClientID, of requester: LogOwner?
  ) throws(DatabaseError) -> ServiceEvent {
    try with(name, id, of: requester) { log, _ throws(DatabaseError) in
      guard let running = unfinished(log, of: client) else {
        return .log(id, .imported(LogImportReport(added: 0, known: 0, tooOld: 0, waiting: 0)))
      }
      let answer = try carryOut(running, id) { running throws(ImportError) in try running.flush() }
      if running.report.waiting == 0 { forget(running) }
      return answer
    }
  }

  private func unfinished(_ log: IndexedLog, of client: ClientID) -> LogImport? {
    imports.first { $0.client == client && $0.log.id == log.id }
  }

  private func begin(_ log: IndexedLog, in folder: TrackFolder, for client: ClientID) -> LogImport {
    let room = try? FileSystemCapacity(at: stateFolder)
    let retention = log.configuration.options.retention ?? .standard(diskSize: room?.total ?? .max)
    let running = LogImport(log, in: folder, retention: retention, now: clock(), for: client)
    imports.append(running)
    return running
  }

  private func forget(_ running: LogImport) { imports.removeAll { $0 === running } }

  private func carryOut(
    _ running: LogImport, _ id: RequestID, _ body: (LogImport) throws(ImportError) -> Void
  ) throws(DatabaseError) -> ServiceEvent {
    // Buffered fixes of the recording are compared, too.
    if let current = recorded(running.log) { noting(current) { $0.synchronize(at: present) } }
    defer { noteFigures(of: running) }
    do throws(ImportError) {
      try body(running)
      return .log(id, .imported(running.report))
    } catch {
      forget(running)
      switch error {
      case .inUse: return .failed(id, .log(.importedElsewhere(name: running.log.name)))
      case .full(let megabytes): return .failed(id, .log(.full(name: running.log.name, megabytes: megabytes)))
      case .noRoom(let free, let needed):
        let reason = "only \(free / 1_000_000) MB are free, and \(needed / 1_000_000) MB are required"
        return .failed(id, .log(.cannotKeep(path: stateFolder, reason: reason, cause: .noRoom)))
      case .system(let error): throw .system(error)
      }
    }
  }

  /// Keeps the figures of written days, so that lists need not read them.
  private func noteFigures(of running: LogImport) {
    let written = running.takeFigures()
    guard !written.isEmpty, let days = try? running.days() else { return }
    for day in days {
      guard let found = written[day.date] else { continue }
      figures[running.log.id, default: LogFigures()].note(found, of: day)
    }
  }
}
