import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore

/// One log that is being recorded: its machine, and the writer that carries out what that says.
final class RunningLog {
  let log: KeptLog
  /// Why nothing can be recorded now.
  var problem: LogProblem? { storageProblem ?? (isResting ? .notAllowed : nil) }
  /// Whether its owner may not know now what would be recorded.
  var isResting = false
  private var storageProblem: LogProblem?
  /// The time of the newest fix in it.
  private(set) var newest: GNSSTime?

  private let folder: TrackFolder
  private let clock: () -> GNSSTime?
  private var settings: TrackWriter.Settings
  private var recorder: LogRecorder
  private var writer: TrackWriter?

  /// Begins to record, or to record again.
  ///
  /// - Parameter clock: the machine's; `nil` where it has not been set.
  init(
    _ log: KeptLog, in folder: TrackFolder, bootID: String?, diskSize: Int, isResumption: Bool, pace: LogPace,
    clock: @escaping () -> GNSSTime?, at now: Instant
  ) {
    self.log = log
    self.folder = folder
    self.clock = clock
    settings = TrackWriter.Settings(
      log: log.name, bootID: bootID, retention: log.wish.retention ?? .standard(diskSize: diskSize))
    settings.seal = log.wish.seal
    recorder = LogRecorder(log.wish, pace: pace)
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
    for action in recorder.handle(input, at: now) {
      do throws(TrackError) {
        try perform(action, at: now)
      } catch .noPlace {
        // A fix that is nowhere is no part of a track.
      } catch {
        // What is left to be done of this input would only fail again.
        return fail(error, at: now)
      }
    }
  }

  /// Brings everything to the disk and lets go of the log; why the last of it is lost, where it is.
  func stop(at now: Instant) -> LogProblem? {
    var loss: LogProblem?
    for action in recorder.handle(.stop, at: now) {
      do throws(TrackError) {
        try perform(action, at: now)
      } catch .noPlace {
        // A fix that is nowhere is no part of a track.
      } catch {
        // It is to be closed all the same.
        loss = loss ?? LogProblem(error)
      }
    }
    return loss
  }

  /// Whether the log is this process's: no other one can write to it.
  var hasClaim: Bool { writer != nil }

  /// What is gathered goes to the disk now, for whoever is about to read it.
  func synchronize(at now: Instant) {
    do throws(TrackError) {
      try writer?.sync()
    } catch {
      fail(error, at: now)
    }
  }

  private func perform(_ action: LogRecorder.Action, at now: Instant) throws(TrackError) {
    switch action {
    case .append(let entry):
      try writer?.append(entry)
      if case .fix(let fix) = entry { newest = fix.time }
    case .sync: try writer?.sync()
    case .checkStorage:
      if writer == nil { try beginWriting() }
      try writer?.sync()
      storageProblem = nil
      handle(.storageReady, at: now)
    case .close: if let writer = writer.take() { try writer.close() }
    }
  }

  private func fail(_ error: TrackError, at now: Instant) {
    // Somebody has removed the folder, and with it what the lock stood on: both are made anew when it is tried again.
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
    // The keeper has tried its key before.
    case .noPlace, .noKey: self = .cannotWrite(errno: 0)
    }
  }
}
