import Geodesy
import LinuxIO
import LocationDatabase
import LocationIPC
import LocationPolicy
import LocationStore

/// A client's unfinished import into a log.
final class LogImport {
  let client: ClientID
  /// The user of the client; `nil` for the hosting process itself.
  let userID: UInt32?
  let log: IndexedLog
  /// Whether the log was removed during the import; the client's next request then fails.
  private(set) var isCancelled = false
  private let folder: TrackFolder
  private var importer: TrackImporter

  init(
    _ log: IndexedLog, in folder: TrackFolder, retention: LogRetention, now: GNSSTime?, for client: ClientID,
    of requester: LogOwner?
  ) {
    (self.client, userID) = (client, requester?.identity.userID)
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

  /// Called when the log was removed: drops the fixes that are not written.
  func cancel() {
    isCancelled = true
    importer = TrackImporter(into: folder, log: log.name, retention: .megabytes(1), now: nil)
  }

  /// Writes the oldest days.
  func flush() throws(ImportError) { try importer.flush() }
}

/// Imports fixes from files of other programs. The fixes are only written to the log: nothing else in the service
/// receives them.
extension LogService {
  /// Maximum number of unfinished imports of one client, of one user, and of all clients: with `TrackImporter.capacity` fixes each,
  /// about 50 MB.
  private static let maximumImports = (client: 2, user: 4, all: 8)

  func importEntries(
    _ entries: [TrackEntry], into name: String, _ id: RequestID, from client: ClientID, of requester: LogOwner?
  ) throws(DatabaseError) -> ServiceEvent {
    let open = try opened()
    let known = try open.index.logs()
    if takeCancelled(name, of: client) { return .failed(id, .log(unknown(name, known, for: requester))) }
    let log = known.first { $0.name == name }
    if log.flatMap({ unfinished($0, of: client) }) == nil, let limit = reachedLimit(of: client, requester) {
      return .failed(id, .log(.tooManyImports(limit: limit)))
    }
    if log == nil {
      guard LogName.allows(name) else { return .failed(id, .log(.badName(name))) }
      guard known.count < MessageLimits.logs else {
        return .failed(id, .log(.tooManyLogs(limit: MessageLimits.logs)))
      }
      _ = try open.index.make(name, LogConfiguration(owner: requester), at: WallClock.now())
    }
    return try with(name, id, of: requester) { log, open throws(DatabaseError) in
      // Only the owner of the key could compare new fixes with those in the log.
      if let key = log.configuration.publicKey { return .failed(id, .log(.sealed(name: name, key: key.text))) }
      let running =
        unfinished(log, of: client) ?? begin(log, in: open.index.folder(of: log), for: client, of: requester)
      return try carryOut(running, id) { running throws(ImportError) in try running.add(entries) }
    }
  }

  func finishImport(
    into name: String, _ id: RequestID, from client: ClientID, of requester: LogOwner?
  ) throws(DatabaseError) -> ServiceEvent {
    if takeCancelled(name, of: client) {
      return .failed(id, .log(unknown(name, try opened().index.logs(), for: requester)))
    }
    return try with(name, id, of: requester) { log, _ throws(DatabaseError) in
      guard let running = unfinished(log, of: client) else {
        return .log(id, .imported(LogImportReport(added: 0, known: 0, tooOld: 0, waiting: 0)))
      }
      let answer = try carryOut(running, id) { running throws(ImportError) in try running.flush() }
      if running.report.waiting == 0 { forget(running) }
      return answer
    }
  }

  private func unfinished(_ log: IndexedLog, of client: ClientID) -> LogImport? {
    imports.first { $0.client == client && $0.log.id == log.id && !$0.isCancelled }
  }

  /// The limit that one more import of this client would exceed; `nil` if there is none.
  private func reachedLimit(of client: ClientID, _ requester: LogOwner?) -> Int? {
    let limits = Self.maximumImports
    if imports.count(where: { $0.client == client }) >= limits.client { return limits.client }
    if imports.count(where: { $0.userID == requester?.identity.userID }) >= limits.user { return limits.user }
    return imports.count >= limits.all ? limits.all : nil
  }

  /// Called when a log was removed, and with it the fixes of imports that were not written. The next request of each
  /// import fails: it would create the log again, with a part of the file.
  func cancelImports(into log: IndexedLog) {
    for running in imports where running.log.id == log.id { running.cancel() }
  }

  /// Whether the client's import into this log was canceled; `true` only once.
  private func takeCancelled(_ name: String, of client: ClientID) -> Bool {
    guard let index = imports.firstIndex(where: { $0.client == client && $0.log.name == name && $0.isCancelled })
    else { return false }
    imports.remove(at: index)
    return true
  }

  private func begin(
    _ log: IndexedLog, in folder: TrackFolder, for client: ClientID, of requester: LogOwner?
  ) -> LogImport {
    let room = try? FileSystemCapacity(at: stateFolder)
    let retention = log.configuration.options.retention ?? .standard(diskSize: room?.total ?? .max)
    let running = LogImport(log, in: folder, retention: retention, now: clock(), for: client, of: requester)
    imports.append(running)
    return running
  }

  private func forget(_ running: LogImport) { imports.removeAll { $0 === running } }

  private func carryOut(
    _ running: LogImport, _ id: RequestID, _ body: (LogImport) throws(ImportError) -> Void
  ) throws(DatabaseError) -> ServiceEvent {
    // Buffered fixes of the recording are compared as well.
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

  /// Stores the figures of the written days, so that lists need not read these days.
  private func noteFigures(of running: LogImport) {
    let written = running.takeFigures()
    guard !written.isEmpty, let days = try? running.days() else { return }
    for day in days {
      guard let found = written[day.date] else { continue }
      figures[running.log.id, default: LogFigures()].note(found, of: day)
    }
  }
}
