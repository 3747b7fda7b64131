package import Geodesy
import LinuxIO
import LocationDatabase
import LocationIPC
package import LocationPolicy
import LocationStore

/// The service's logs: stores their list, records the running ones as internal clients, and reads logs for clients.
package final class LogService {
  /// Maximum numbers of concurrent readings of one client, and of all clients.
  static let maximumReadings = (client: 4, all: 32)
  private static let updates = RequestID(1)

  let stateFolder: String
  let clock: () -> GNSSTime?
  let report: (LogReport) -> Void
  var present: Instant
  /// The number of recordings started so far, each of which is a client with its own number.
  private var clients = 0
  private let pace: LogSyncPolicy
  /// Whether this process records; otherwise it only reads what another process has recorded.
  let records: Bool
  private var index: OpenIndex?
  var running: [Recording] = []
  private var readings: [LogRequest.Bookmark: any LogPaging] = [:]
  var followers: [LogRequest.Bookmark: LogFollower] = [:]
  var nextBookmark: UInt32 = 1
  /// The figures of each log's parts, by the number of the log.
  var figures: [Int64: LogFigures] = [:]
  /// Imports that clients have begun but not finished.
  var imports: [LogImport] = []
  /// Whether it was reported that there is no room for an index.
  var hasComplained = false

  /// A class, so that several readers can share the noncopyable index.
  final class OpenIndex {
    let index: LogIndex
    init(_ index: consuming LogIndex) { self.index = index }
  }

  /// A log that is being recorded, and the internal client that receives its fixes.
  struct Recording {
    let log: RunningLog
    let client: ClientID
    /// When the recording began. A new client first receives the last known fix, which precedes the recording.
    let begin: Instant
  }

  /// - Parameters:
  ///   - records: whether this process records; otherwise it only reads what another process has recorded.
  ///   - clock: the system's wall clock; `nil` if it is not set.
  ///   - report: receives the logs' requests, and the answers to clients.
  package init(
    stateFolder: String, records: Bool, pace: LogSyncPolicy = LogSyncPolicy(), at now: Instant,
    clock: @escaping () -> GNSSTime? = { WallClock.believable }, report: @escaping (LogReport) -> Void
  ) {
    (self.stateFolder, self.records, self.pace) = (stateFolder, records, pace)
    (self.clock, self.report, present) = (clock, report, now)
  }

  /// When `wake` is due.
  package var nextDeadline: Instant? { running.compactMap(\.log.nextDeadline).min() }

  package func handle(_ order: LogOrder, at now: Instant) {
    present = now
    switch order {
    case .begin: begin()
    case .request(let request, let id, let client, let requester): handle(request, id, from: client, of: requester)
    case .left(let client):
      readings = readings.filter { $0.value.client != client }
      followers = followers.filter { $0.value.client != client }
      // Fixes that were not written are imported again when the client repeats the import.
      imports.removeAll { $0.client == client }
    case .event(let event, let client): receive(event, for: client)
    case .describe: report(.account(account))
    case .end: end()
    }
    answerFollowers()
  }

  // MARK: - Life

  /// Resumes the logs that were being recorded when the service ended. A state folder without an index and without
  /// tracks has no logs, and no index is created in it.
  private func begin() {
    guard records, Self.hasIndex(in: stateFolder) else { return }
    do throws(DatabaseError) {
      let open = try opened()
      for log in try open.index.logs() {
        let folder = open.index.folder(of: log)
        // If this fails, the next start tries again.
        try? ImportedFolder(of: folder).removeIncomplete()
        if log.isRunning { record(log, in: folder, isResumption: true) }
      }
    } catch {
      report(.event(.cannotKeep(path: stateFolder, reason: error.words)))
    }
  }

  package func wake(at now: Instant) {
    present = now
    for recording in running {
      if let deadline = recording.log.nextDeadline, deadline <= now { handle(.wake, recording.log) }
    }
    answerFollowers()
  }

  /// Called when the service ends: writes all recordings to disk, so that they resume at the next start.
  private func end() {
    for recording in running { finish(recording) }
    running = []
    readings = [:]
    followers = [:]
    imports = []
    // Closing the last reference makes SQLite merge its write-ahead log into the database file.
    index = nil
  }

  // MARK: - Requests

  /// - Parameter requester: the client's identity as an owner of logs; `nil` for a client of the hosting process itself,
  ///   which has access to every log.
  private func handle(_ request: LogRequest, _ id: RequestID, from client: ClientID, of requester: LogOwner? = nil) {
    do throws(DatabaseError) {
      if case .followOn(let bookmark) = request {
        return follow(on: bookmark, id, from: client)
      }
      report(.answer(try answer(request, id, from: client, of: requester), to: client))
    } catch {
      if error.cause == .noRoom, !hasComplained {
        hasComplained = true
        report(.event(.cannotKeep(path: stateFolder, reason: error.words)))
      }
      report(.answer(.failed(id, .log(failure(error))), to: client))
    }
  }

  private func answer(
    _ request: LogRequest, _ id: RequestID, from client: ClientID, of requester: LogOwner?
  ) throws(DatabaseError) -> ServiceEvent {
    switch request {
    case .start(let name, let options, let publicKey):
      guard records else { return .failed(id, .log(.needsDaemon)) }
      let open = try opened()
      let known = try open.index.logs()
      guard known.count < MessageLimits.logs || known.contains(where: { $0.name == name }) else {
        return .failed(id, .log(.tooManyLogs(limit: MessageLimits.logs)))
      }
      let isKnown = known.contains { $0.name == name }
      guard isKnown || LogName.allows(name) else { return .failed(id, .log(.badName(name))) }
      let key = publicKey.flatMap { try? LogPublicKey($0) }
      if let publicKey, !(key?.isUsable ?? false) { return .failed(id, .log(.invalidPublicKey(publicKey))) }
      var configuration = LogConfiguration(options, publicKey: key)
      if let before = known.first(where: { $0.name == name }) {
        // The name is taken, and the client must be informed of that.
        guard before.isVisible(to: requester) else { return .failed(id, .notAuthorized(.notOwner, identity: nil)) }
        configuration.owner = before.configuration.owner
        // Appending would create a log that is only partly encrypted.
        guard configuration.publicKey == nil || configuration.publicKey == before.configuration.publicKey else {
          return .failed(id, .log(.differentPublicKey(name: name, key: before.configuration.publicKey?.text)))
        }
        configuration.publicKey = before.configuration.publicKey
      }
      configuration.owner = configuration.owner ?? requester
      let log = try open.index.start(name, configuration, at: WallClock.now())
      let wasRunning = recorded(log) != nil
      // `stop` has reported a loss at the end; recording starts in any case.
      _ = stop(log)
      record(log, in: open.index.folder(of: log), isResumption: wasRunning)
      return .done(id)
    case .stop(let name):
      return try with(name, id, of: requester) { log, open throws(DatabaseError) in
        try claiming(log, in: open.index.folder(of: log), id) { () throws(DatabaseError) in
          _ = try open.index.stop(name, at: WallClock.now())
          return stop(log).map { .failed(id, .log(.endLost(name: name, $0))) } ?? .done(id)
        }
      }
    case .remove(let name):
      return try with(name, id, of: requester) { log, open throws(DatabaseError) in
        try claiming(log, in: open.index.folder(of: log), id) { () throws(DatabaseError) in
          // A loss at the end does not matter, because the log is deleted.
          _ = stop(log)
          try open.index.remove(log)
          figures[log.id] = nil
          cancelImports(into: log)
          try endFollowing(log, in: open)
          return .done(id)
        }
      }
    case .rename(let name, let new): return try rename(name, to: new, id, of: requester)
    case .note(let name, let text): return try note(text, name, id, of: requester)
    case .notes(let name, let first): return try notes(of: name, from: first, id, of: requester)
    case .follow(let name, let from): return try follow(name, from: from, id, from: client, of: requester)
    case .followSealed(let name, let from): return try followSealed(name, from: from, id, from: client, of: requester)
    case .followOn: return .failed(id, .log(.unknownBookmark))
    case .list: return .log(id, .logs(try list(for: requester)))
    case .read(let name, let from, let to):
      return try with(name, id, of: requester, in: readable()) { log, open throws(DatabaseError) in
        if let key = log.configuration.publicKey { return .failed(id, .log(.sealed(name: name, key: key.text))) }
        let folder = open.index.folder(of: log)
        return try read(log, id, for: client) { problem throws(SystemError) in
          TrackPager(try TrackReader(folder: folder, from: from, to: to), problem: problem, for: client)
        }
      }
    case .readSealed(let name, let from, let to):
      return try with(name, id, of: requester, in: readable()) { log, open throws(DatabaseError) in
        guard log.configuration.publicKey != nil else { return .failed(id, .log(.notSealed(name: name))) }
        let folder = open.index.folder(of: log)
        return try read(log, id, for: client) { problem throws(SystemError) in
          EncryptedTrackPager(
            try EncryptedTrackReader(folder: folder, from: from, to: to), problem: problem, for: client)
        }
      }
    case .readOn(let bookmark):
      guard let reading = readings[bookmark], reading.client == client else {
        return .failed(id, .log(.unknownBookmark))
      }
      return next(of: reading, at: bookmark, id)
    case .addImported(let name, let entries):
      return try importEntries(entries, into: name, id, from: client, of: requester)
    case .finishImport(let name): return try finishImport(into: name, id, from: client, of: requester)
    }
  }

  /// Calls `body` for a log that the client has access to. For any other log, including another user's, the answer is
  /// that there is no such log.
  func with(
    _ name: String, _ id: RequestID, of requester: LogOwner?, in readable: OpenIndex? = nil,
    _ body: (IndexedLog, OpenIndex) throws(DatabaseError) -> ServiceEvent
  ) throws(DatabaseError) -> ServiceEvent {
    let open = if let readable { readable } else { try opened() }
    guard let log = try open.index.log(named: name), log.isVisible(to: requester) else {
      return .failed(id, .log(unknown(name, try open.index.logs(), for: requester)))
    }
    return try body(log, open)
  }

  /// The failure of a request about a log that does not exist, or that must not be disclosed to the client.
  func unknown(_ name: String, _ known: [IndexedLog], for requester: LogOwner?) -> LogFailure {
    .unknown(name: name, known: known.filter { $0.isVisible(to: requester) }.map(\.name))
  }

  /// The logs for the status report; `nil` if there are none, or if they cannot be read.
  private var account: [LogDescription]? {
    // The status report must not wait for whole logs to be read.
    var budget = 0
    return Self.hasIndex(in: stateFolder) ? try? descriptions(readable(), readingFigures: &budget) { _ in true } : nil
  }

  private func read(
    _ log: IndexedLog, _ id: RequestID, for client: ClientID,
    _ begin: (LogProblem?) throws(SystemError) -> any LogPaging
  ) throws(DatabaseError) -> ServiceEvent {
    let ofClient = readings.values.count { $0.client == client }
    guard ofClient < Self.maximumReadings.client, readings.count < Self.maximumReadings.all else {
      return .failed(id, .log(.tooManyReadings(limit: Self.maximumReadings.client)))
    }
    // Buffered fixes are written first, so that the reader receives them too.
    let current = recorded(log)
    if let current { noting(current) { $0.synchronize(at: present) } }
    let reading: any LogPaging
    do throws(SystemError) {
      reading = try begin(current?.problem)
    } catch {
      throw .system(error)
    }
    let bookmark = LogRequest.Bookmark(nextBookmark)
    nextBookmark &+= 1
    readings[bookmark] = reading
    return next(of: reading, at: bookmark, id)
  }

  private func next(of reading: any LogPaging, at bookmark: LogRequest.Bookmark, _ id: RequestID) -> ServiceEvent {
    let (page, isLast) = reading.next(at: bookmark)
    if isLast { readings[bookmark] = nil }
    return .log(id, page)
  }

  // MARK: - Recording

  /// The running recording of the log; `nil` if there is none.
  func recorded(_ log: IndexedLog) -> RunningLog? { running.first { $0.log.log.id == log.id }?.log }

  private func record(_ log: IndexedLog, in folder: TrackFolder, isResumption: Bool) {
    let room = try? FileSystemCapacity(at: stateFolder)
    let recorded = RunningLog(
      log, in: folder, bootID: ProcessEnvironment.bootID, diskSize: room?.total ?? .max, isResumption: isResumption,
      pace: pace, clock: clock, at: present)
    clients += 1
    let client = ClientID.log(clients)
    let number = log.id
    recorded.onAppend = { [unowned self] entry in
      for follower in followers.values where follower.log == number { follower.add(entry) }
    }
    recorded.onSync = { [unowned self] in
      for follower in followers.values where follower.log == number { follower.noteWriting() }
    }
    running.append(Recording(log: recorded, client: client, begin: present))
    report(.event(.recording(log.name, recorded.problem)))
    let request = ClientRequest.startUpdates(
      Self.updates, UpdateOptions(waitsForSource: true, whenNotDetermined: .waits))
    report(.ask(request, by: client, for: log))
  }

  /// Handles an event of the service for the log whose internal client is `client`.
  private func receive(_ event: ServiceEvent, for client: ClientID) {
    guard let recording = running.first(where: { $0.client == client }) else { return }
    switch event {
    case .update(_, let fix, _): if fix.receivedAt >= recording.begin { handle(.fix(fix), recording.log) }
    case .streamChanged(_, .suspended): noting(recording.log) { $0.isResting = true }
    case .streamChanged(_, .resumed): noting(recording.log) { $0.isResting = false }
    default: break
    }
  }

  /// Stops recording; returns why the end of the log was lost, or `nil` if it was not.
  private func stop(_ log: IndexedLog) -> LogProblem? {
    guard let position = running.firstIndex(where: { $0.log.log.id == log.id }) else { return nil }
    let loss = finish(running.remove(at: position))
    report(.event(.stopped(log.name)))
    return loss
  }

  @discardableResult
  private func finish(_ recording: Recording) -> LogProblem? {
    report(.left(recording.client))
    let loss = recording.log.stop(at: present)
    if let loss { report(.event(.endLost(recording.log.log.name, loss))) }
    return loss
  }

  /// Runs `body`, which stops, deletes or renames a log or adds a note, unless another process records the log: that process would
  /// continue, and could no longer be stopped.
  func claiming(
    _ log: IndexedLog, in folder: TrackFolder, _ id: RequestID, _ body: () throws(DatabaseError) -> ServiceEvent
  ) throws(DatabaseError) -> ServiceEvent {
    if recorded(log)?.hasClaim ?? false { return try body() }
    let lock: FolderLock
    do throws(SystemError) {
      lock = try FolderLock(folder.path)
    } catch {
      // Nothing was ever recorded.
      if error.isAbsence { return try body() }
      guard error.isHeldByOther else { throw .system(error) }
      return .failed(id, .log(.recordedElsewhere(name: log.name, processID: FolderLock.holder(of: folder.path))))
    }
    let answer = try body()
    withExtendedLifetime(lock) {}
    return answer
  }

  private func handle(_ input: LogRecorder.Input, _ log: RunningLog) {
    noting(log) { $0.handle(input, at: present) }
  }

  /// Runs `body`, and reports a change of the log's problem, including its end.
  func noting(_ log: RunningLog, _ body: (RunningLog) -> Void) {
    let before = log.problem
    body(log)
    if log.problem != before { report(.event(.recording(log.log.name, log.problem))) }
  }

  // MARK: - Index

  /// The index, which is created with the first log.
  func opened() throws(DatabaseError) -> OpenIndex {
    if let index {
      if Self.hasIndexFile(in: stateFolder) { return index }
      // The index was removed, and the logs with it: data that is still written could never be found.
      for recording in running {
        finish(recording)
        report(.event(.stopped(recording.log.log.name)))
      }
      forgetFollowers()
      (self.index, running, readings, figures, imports) = (nil, [], [:], [:], [])
    }
    let made = OpenIndex(try LogIndex(stateFolder: stateFolder))
    if let name = made.index.setAside { report(.event(.setAside(name))) }
    for log in made.index.adopted { report(.event(.adopted(log.name, isRecorded: log.isRunning))) }
    (index, hasComplained) = (made, false)
    return made
  }

  /// The index for reading. If the disk is read-only or full, the index is opened read-only.
  func readable() throws(DatabaseError) -> OpenIndex {
    do throws(DatabaseError) {
      return try opened()
    } catch {
      guard error.mayBeReadable, Self.hasIndexFile(in: stateFolder),
        let index = try? LogIndex(reading: stateFolder)
      else { throw error }
      return OpenIndex(index)
    }
  }

  private func failure(_ error: DatabaseError) -> LogFailure {
    if case .value(_, let found) = error { return .badName(found) }
    return .cannotKeep(path: stateFolder, reason: error.words, cause: error.cause)
  }
}
