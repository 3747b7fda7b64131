import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore

/// One log that is being recorded: its state machine, and the writer that executes the machine's actions.
final class RunningLog {
  private(set) var log: IndexedLog
  /// Why nothing can currently be recorded.
  var problem: LogProblem? { storageProblem ?? (isResting ? .notAllowed : nil) }
  /// Whether the log's owner currently has no access to the location.
  var isResting = false
  private var storageProblem: LogProblem?
  /// The time of the last fix that this run has recorded; `nil`: none yet.
  private(set) var newest: GNSSTime?
  /// The time of the first fix that this run has recorded; `nil`: none yet.
  private(set) var oldest: GNSSTime?
  private(set) var lastRecorded: PositionFix?
  /// The last fix without a quality flag, recorded or not: a log leaves out most fixes of a stay.
  private var lastReceived: PositionFix?
  /// Called with each recorded entry.
  var onAppend: ((TrackEntry) -> Void)?
  /// Called when entries have been written to disk.
  var onSync: (() -> Void)?

  private let folder: TrackFolder
  private let clock: () -> GNSSTime?
  private var settings: TrackWriter.Settings
  private var recorder: LogRecorder
  private var writer: TrackWriter?

  /// Starts or resumes the recording.
  ///
  /// - Parameter clock: the system's wall clock; returns `nil` if the clock is not set.
  init(
    _ log: IndexedLog, in folder: TrackFolder, bootID: String?, diskSize: Int, isResumption: Bool, pace: LogSyncPolicy,
    clock: @escaping () -> GNSSTime?, at now: Instant
  ) {
    self.log = log
    self.folder = folder
    self.clock = clock
    settings = TrackWriter.Settings(
      log: log.name, bootID: bootID, retention: log.configuration.options.retention ?? .standard(diskSize: diskSize))
    settings.publicKey = log.configuration.publicKey
    recorder = LogRecorder(log.configuration.options, pace: pace)
    handle(.begin(isResumption: isResumption), at: now)
    do throws(TrackError) {
      try beginWriting()
    } catch {
      fail(error, at: now)
    }
  }

  private func beginWriting() throws(TrackError) {
    writer = try TrackWriter(folder: folder, settings)
    writer?.clock = clock
  }

  /// When `.wake` is due.
  var nextDeadline: Instant? { recorder.nextDeadline }

  func handle(_ input: LogRecorder.Input, at now: Instant) {
    if case .fix(let fix) = input, fix.qualityFlag == nil { lastReceived = fix }
    for action in recorder.handle(input, at: now) {
      do throws(TrackError) {
        try execute(action, at: now)
      } catch .noPlace {
        // `.noPlace`: a fix without a position is not part of a track.
      } catch {
        // The remaining actions of this input would fail in the same way.
        return fail(error, at: now)
      }
    }
  }

  /// Writes everything to disk and closes the log; returns why its end was lost, if it was.
  func stop(at now: Instant) -> LogProblem? {
    var loss: LogProblem?
    for action in recorder.handle(.stop, at: now) {
      do throws(TrackError) {
        try execute(action, at: now)
      } catch .noPlace {
        // `.noPlace`: a fix without a position is not part of a track.
      } catch {
        // The log is closed nevertheless.
        loss = loss ?? LogProblem(error)
      }
    }
    return loss
  }

  /// Gives the log another name, also in the segments that follow.
  func rename(to log: IndexedLog) {
    self.log = log
    settings.log = log.name
    writer?.rename(to: log.name)
  }

  /// The figures of the segments that this recording has written, by number.
  var figures: [Int: TrackFigures] { writer?.figures ?? [:] }

  /// The number of bytes on the disk that are allocated for the entries to come.
  var unusedBytes: Int { writer?.unusedBytes ?? 0 }

  /// The end of the written entries; later ones are passed to `onAppend`. `nil` if the next fix begins a new segment.
  var position: TrackPosition? { writer?.position }

  /// How long a fix counts as the current one.
  private static let currentFor: Duration = .seconds(10)

  /// The fix and the time of a note that is made at `now`: the current fix and its time; otherwise the last fix that this run has
  /// recorded, and the time of the system's clock, or that of the fix if the clock is not set. `nil`: no fix was recorded.
  func notePosition(at now: Instant) -> (fix: PositionFix, time: GNSSTime)? {
    if !isResting, let lastReceived, now - lastReceived.receivedAt <= Self.currentFor {
      return (lastReceived, lastReceived.time)
    }
    return lastRecorded.map { ($0, clock() ?? $0.time) }
  }

  /// Whether this process holds the log's lock, so that no other process can write to it.
  var hasClaim: Bool { writer != nil }

  /// Writes buffered data to disk for a reader.
  func synchronize(at now: Instant) {
    do throws(TrackError) {
      try writer?.sync()
      onSync?()
    } catch {
      fail(error, at: now)
    }
  }

  private func execute(_ action: LogRecorder.Action, at now: Instant) throws(TrackError) {
    switch action {
    case .append(let entry):
      try writer?.append(entry)
      if case .fix(let fix) = entry {
        newest = fix.time
        oldest = oldest ?? fix.time
        lastRecorded = fix
      }
      onAppend?(entry)
    case .sync:
      try writer?.sync()
      onSync?()
    case .checkStorage:
      if writer == nil { try beginWriting() }
      try writer?.sync()
      storageProblem = nil
      handle(.storageReady, at: now)
    case .close:
      defer { onSync?() }
      if let writer = writer.take() { try writer.close() }
    }
  }

  private func fail(_ error: TrackError, at now: Instant) {
    // The folder was removed, and the lock file with it: both are created again at the next attempt.
    if case .system(let error) = error, error.isAbsence { writer = nil }
    storageProblem = LogProblem(error)
    handle(.storageFailed, at: now)
  }
}

extension LogProblem {
  init(_ error: TrackError) {
    switch error {
    case .inUse: self = .inUse
    case .noRoom(let free, let needed): self = .noRoom(free: free, needed: needed)
    case .system(let error): self = .cannotWrite(errno: error.errno)
    // The log service has already validated the key.
    case .noPlace, .noKey: self = .cannotWrite(errno: 0)
    }
  }
}
