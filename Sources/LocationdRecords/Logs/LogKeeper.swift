package import Geodesy
import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationStore
package import LocationdService

/// The service's logs: stores which logs exist, records the running ones as an internal client of the service, and reads
/// them for clients.
package final class LogKeeper {
  /// The functions of the surrounding service that the keeper uses.
  package struct Surroundings {
    var now: () -> Instant
    var connect: (@escaping (ServiceEvent) -> Void) -> ClientID
    var send: (ClientRequest, ClientID, KeptLog) -> Void
    var leave: (ClientID) -> Void
    var tell: (ClientID, ServiceEvent) -> Void
    var clock: () -> GNSSTime?

    /// - Parameters:
    ///   - connect: creates an internal client of the service.
    ///   - send: sends such a client's request for a log to the service.
    ///   - tell: sends an answer to the client that asked.
    ///   - clock: the system's wall clock; `nil` if it is not set.
    package init(
      now: @escaping () -> Instant, connect: @escaping (@escaping (ServiceEvent) -> Void) -> ClientID,
      send: @escaping (ClientRequest, ClientID, KeptLog) -> Void, leave: @escaping (ClientID) -> Void,
      tell: @escaping (ClientID, ServiceEvent) -> Void,
      clock: @escaping () -> GNSSTime? = { WallClock.believable }
    ) {
      self.now = now
      self.connect = connect
      self.send = send
      self.leave = leave
      self.tell = tell
      self.clock = clock
    }
  }

  /// Maximum number of concurrent readings of one client, and of all clients.
  static let maximumReadings = (client: 4, all: 32)
  private static let updates = RequestID(1)

  let stateFolder: String
  private let surroundings: Surroundings
  private let pace: LogPace
  /// Whether this process records; otherwise it only reads what another process has recorded.
  let records: Bool
  private var index: OpenIndex?
  private var running: [Recording] = []
  private var readings: [LogRequest.Bookmark: any LogPaging] = [:]
  private var nextBookmark: UInt32 = 1
  /// Whether the lack of room for an index was reported.
  var hasComplained = false

  /// A class, so that several readers can share the noncopyable index.
  final class OpenIndex {
    let index: LogIndex
    init(_ index: consuming LogIndex) { self.index = index }
  }

  /// A log that is being recorded, and the internal client that receives its fixes.
  private struct Recording {
    let log: RunningLog
    let client: ClientID
  }

  /// - Parameter records: whether this process records; otherwise it only reads what another process has recorded.
  package init(stateFolder: String, records: Bool, pace: LogPace = LogPace(), _ surroundings: Surroundings) {
    self.stateFolder = stateFolder
    self.records = records
    self.pace = pace
    self.surroundings = surroundings
  }

  /// When `wake` is due.
  package var nextDeadline: Instant? { running.compactMap(\.log.nextDeadline).min() }

  /// Receives log events, which name the log, for the service's own log.
  package var onNews: ((LogNews) -> Void)?

  // MARK: - Life

  /// Resumes the logs that were being recorded when the service ended. A state folder without an index and tracks has no
  /// logs, and no index is created in it.
  package func begin() {
    guard records, Self.hasIndex(in: stateFolder) else { return }
    do throws(DatabaseError) {
      let open = try opened()
      for log in try open.index.logs() where log.isRunning {
        record(log, in: open.index.folder(of: log), isResumption: true)
      }
    } catch {
      onNews?(.cannotKeep(path: stateFolder, reason: error.words))
    }
  }

  /// Whether logs exist: an index, or tracks whose index is lost.
  static func hasIndex(in stateFolder: String) -> Bool {
    hasIndexFile(in: stateFolder) || hasTracks(in: stateFolder)
  }

  static func hasTracks(in stateFolder: String) -> Bool {
    !((try? PrivateFolder.folders(in: stateFolder + "/tracks"))?.isEmpty ?? true)
  }

  private static func hasIndexFile(in stateFolder: String) -> Bool {
    PrivateFolder.hasFile(LogIndex.fileName, in: stateFolder)
  }

  package func wake() {
    let now = surroundings.now()
    for recording in running {
      if let deadline = recording.log.nextDeadline, deadline <= now { hear(.wake, recording.log) }
    }
  }

  /// Called when the service ends: writes all recordings to disk, so that they resume at the next start.
  package func end() {
    for recording in running { finish(recording) }
    running = []
    readings = [:]
    // Closing the last reference makes SQLite merge its write-ahead log into the database file.
    index = nil
  }

  /// A client has disconnected; closes its readings.
  package func leave(_ client: ClientID) { readings = readings.filter { $0.value.client != client } }

  // MARK: - Requests

  /// - Parameter asker: the owner of the client; `nil`: a client of the hosting process itself, which has access to every log.
  package func handle(_ request: LogRequest, _ id: RequestID, from client: ClientID, of asker: LogOwner? = nil) {
    do throws(DatabaseError) {
      surroundings.tell(client, try answer(request, id, from: client, of: asker))
    } catch {
      if error.cause == .noRoom, !hasComplained {
        hasComplained = true
        onNews?(.cannotKeep(path: stateFolder, reason: error.words))
      }
      surroundings.tell(client, .failed(id, .log(failure(error))))
    }
  }

  private func answer(
    _ request: LogRequest, _ id: RequestID, from client: ClientID, of asker: LogOwner?
  ) throws(DatabaseError) -> ServiceEvent {
    switch request {
    case .start(let name, let options, let seal):
      guard records else { return .failed(id, .log(.needsDaemon)) }
      let open = try opened()
      let known = try open.index.logs()
      guard known.count < MessageLimits.logs || known.contains(where: { $0.name == name }) else {
        return .failed(id, .log(.tooManyLogs(limit: MessageLimits.logs)))
      }
      let key = seal.flatMap { try? SealKey($0) }
      if let seal, !(key?.isUsable ?? false) { return .failed(id, .log(.badSeal(seal))) }
      var configuration = LogConfiguration(options, seal: key)
      if let before = known.first(where: { $0.name == name }) {
        // The name is taken, and the client has to learn that.
        guard before.isVisible(to: asker) else { return .failed(id, .notAuthorized(.notOwner, identity: nil)) }
        configuration.owner = before.configuration.owner
        // Appending would give a log that is partly open and partly encrypted.
        guard configuration.seal == nil || configuration.seal == before.configuration.seal else {
          return .failed(id, .log(.otherSeal(name: name, key: before.configuration.seal?.text)))
        }
        configuration.seal = before.configuration.seal
      }
      configuration.owner = configuration.owner ?? asker
      let log = try open.index.start(name, configuration, at: WallClock.now())
      let wasRunning = recorded(log) != nil
      // A loss at the end was reported by `stop`; recording starts in any case.
      _ = stop(log)
      record(log, in: open.index.folder(of: log), isResumption: wasRunning)
      return .done(id)
    case .stop(let name):
      return try with(name, id, of: asker) { log, open throws(DatabaseError) in
        try claiming(log, in: open.index.folder(of: log), id) { () throws(DatabaseError) in
          _ = try open.index.stop(name, at: WallClock.now())
          return stop(log).map { .failed(id, .log(.endLost(name: name, $0))) } ?? .done(id)
        }
      }
    case .remove(let name):
      return try with(name, id, of: asker) { log, open throws(DatabaseError) in
        try claiming(log, in: open.index.folder(of: log), id) { () throws(DatabaseError) in
          // A loss at the end does not matter, because the log is being deleted.
          _ = stop(log)
          try open.index.remove(log)
          return .done(id)
        }
      }
    case .list: return .log(id, .logs(try list(for: asker)))
    case .read(let name, let from, let to):
      return try with(name, id, of: asker, in: readable()) { log, open throws(DatabaseError) in
        if let key = log.configuration.seal { return .failed(id, .log(.sealed(name: name, key: key.text))) }
        let folder = open.index.folder(of: log)
        return try read(log, id, for: client) { problem throws(SystemError) in
          TrackReading(try TrackReader(folder: folder, from: from, to: to), problem: problem, for: client)
        }
      }
    case .readSealed(let name, let from, let to):
      return try with(name, id, of: asker, in: readable()) { log, open throws(DatabaseError) in
        guard log.configuration.seal != nil else { return .failed(id, .log(.notSealed(name: name))) }
        let folder = open.index.folder(of: log)
        return try read(log, id, for: client) { problem throws(SystemError) in
          SealedReading(try SealedTrackReader(folder: folder, from: from, to: to), problem: problem, for: client)
        }
      }
    case .readOn(let bookmark):
      guard let reading = readings[bookmark], reading.client == client else {
        return .failed(id, .log(.unknownBookmark))
      }
      return next(of: reading, at: bookmark, id)
    }
  }

  /// Calls `body` for a log that the client has access to. Otherwise it answers that there is no such log, also for another
  /// user's log.
  private func with(
    _ name: String, _ id: RequestID, of asker: LogOwner?, in readable: OpenIndex? = nil,
    _ body: (KeptLog, OpenIndex) throws(DatabaseError) -> ServiceEvent
  ) throws(DatabaseError) -> ServiceEvent {
    let open = if let readable { readable } else { try opened() }
    guard let log = try open.index.log(named: name), log.isVisible(to: asker) else {
      let known = try open.index.logs().filter { $0.isVisible(to: asker) }
      return .failed(id, .log(.unknown(name: name, known: known.map(\.name))))
    }
    return try body(log, open)
  }

  /// The logs for the status report; `nil`: there are none, or they cannot be read.
  package var account: [LogDescription]? {
    Self.hasIndex(in: stateFolder) ? try? descriptions(readable()) { _ in true } : nil
  }

  private func read(
    _ log: KeptLog, _ id: RequestID, for client: ClientID,
    _ begin: (LogProblem?) throws(SystemError) -> any LogPaging
  ) throws(DatabaseError) -> ServiceEvent {
    let ofClient = readings.values.count { $0.client == client }
    guard ofClient < Self.maximumReadings.client, readings.count < Self.maximumReadings.all else {
      return .failed(id, .log(.tooManyReadings(limit: Self.maximumReadings.client)))
    }
    // Write buffered fixes first, so that the reader gets them too.
    let current = recorded(log)
    if let current { noting(current) { $0.synchronize(at: surroundings.now()) } }
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

  /// The running recording of the log, if there is one.
  func recorded(_ log: KeptLog) -> RunningLog? { running.first { $0.log.log.id == log.id }?.log }

  private func record(_ log: KeptLog, in folder: TrackFolder, isResumption: Bool) {
    let room = try? FileSystemRoom(at: stateFolder)
    let recorded = RunningLog(
      log, in: folder, bootID: ProcessEnvironment.bootID, diskSize: room?.total ?? .max, isResumption: isResumption,
      pace: pace, clock: surroundings.clock, at: surroundings.now())
    let begin = surroundings.now()
    let client = surroundings.connect { [unowned self] event in
      switch event {
      // A new client first receives the last known fix, which precedes this recording.
      case .update(_, let fix, _) where fix.receivedAt >= begin: hear(.fix(fix), recorded)
      case .streamChanged(_, .suspended): noting(recorded) { $0.isResting = true }
      case .streamChanged(_, .resumed): noting(recorded) { $0.isResting = false }
      default: break
      }
    }
    running.append(Recording(log: recorded, client: client))
    onNews?(.recording(log.name, recorded.problem))
    surroundings.send(
      .startUpdates(Self.updates, UpdateOptions(waitsForSource: true, ifUndecided: .waits)), client, log)
  }

  /// Stops recording; returns why the end of the log was lost, if it was.
  private func stop(_ log: KeptLog) -> LogProblem? {
    guard let position = running.firstIndex(where: { $0.log.log.id == log.id }) else { return nil }
    let loss = finish(running.remove(at: position))
    onNews?(.stopped(log.name))
    return loss
  }

  @discardableResult
  private func finish(_ recording: Recording) -> LogProblem? {
    surroundings.leave(recording.client)
    let loss = recording.log.stop(at: surroundings.now())
    if let loss { onNews?(.endLost(recording.log.log.name, loss)) }
    return loss
  }

  /// Runs `body`, which stops or deletes a log, unless another process records it: that process would continue, and could
  /// not be stopped any more.
  private func claiming(
    _ log: KeptLog, in folder: TrackFolder, _ id: RequestID, _ body: () throws(DatabaseError) -> ServiceEvent
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

  private func hear(_ input: LogRecorder.Input, _ log: RunningLog) {
    noting(log) { $0.handle(input, at: surroundings.now()) }
  }

  /// Runs `body` and reports if the log's problem has changed, also when it is resolved.
  private func noting(_ log: RunningLog, _ body: (RunningLog) -> Void) {
    let before = log.problem
    body(log)
    if log.problem != before { onNews?(.recording(log.log.name, log.problem)) }
  }

  // MARK: -

  /// The index, created with the first log.
  func opened() throws(DatabaseError) -> OpenIndex {
    if let index {
      if Self.hasIndexFile(in: stateFolder) { return index }
      // The index was removed, and the logs with it: data written to it now could never be found.
      for recording in running {
        finish(recording)
        onNews?(.stopped(recording.log.log.name))
      }
      (self.index, running, readings) = (nil, [], [:])
    }
    let made = OpenIndex(try LogIndex(stateFolder: stateFolder))
    if let name = made.index.setAside { onNews?(.setAside(name)) }
    for log in made.index.adopted { onNews?(.adopted(log.name, isRecorded: log.isRunning)) }
    (index, hasComplained) = (made, false)
    return made
  }

  /// The index for reading. On a disk that is read-only or full it is opened as it is.
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
