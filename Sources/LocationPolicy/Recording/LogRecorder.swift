package import Geodesy

/// One named log: decides which fixes are recorded, where its track is interrupted, and when it is synced to the disk.
///
/// Not recorded are fixes that repeat an epoch, suspect ones (unless requested), those above the accuracy limit, those
/// that the distance and time filters hold back, and those of a stay except its first and its last. The last fix of a
/// stay is recorded only when the stay ends: a power failure therefore loses the duration of the stay, but not its
/// place.
package struct LogRecorder: Sendable {
  /// The inputs of the machine.
  package enum Input: Hashable, Sendable {
    /// Starts: by the owner, or as a resumption after a restart of the service or the machine.
    case begin(isResumption: Bool)
    /// A fix, in the order of arrival.
    case fix(PositionFix)
    /// An append or a sync found no space, or the storage failed for another reason.
    case storageFailed
    /// The storage is writable again.
    case storageReady
    /// The owner ends the log, or the service stops.
    case stop
    /// `nextDeadline` was reached. Sending this early is harmless.
    case wake
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    case append(TrackEntry)
    /// Sync the appended entries to the disk.
    case sync
    /// Check whether the storage is writable again, and send `storageReady` if it is.
    case checkStorage
    /// Sync and close.
    case close
  }

  private enum State {
    case idle
    case recording(LogTrack)
    /// The storage is not writable; the next check is at this time.
    case stalled(LogTrack, until: Instant)
    case finished
  }

  private let options: LogOptions
  private let pace: LogSyncPolicy
  private var state = State.idle
  private var syncAt: Instant?
  /// The interval before the next sync.
  private var syncInterval: Duration

  /// A machine for one run of a log; it cannot be reused.
  package init(_ options: LogOptions, pace: LogSyncPolicy = LogSyncPolicy()) {
    self.options = options
    self.pace = pace
    syncInterval = min(pace.firstSync ?? pace.sync, pace.sync)
  }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    switch state {
    case .idle, .finished: nil
    case .recording: syncAt
    case .stalled(_, let until): until
    }
  }

  /// Handles one input and returns what the caller has to do.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (.idle, .begin(let isResumption)):
      state = .recording(LogTrack(options, gap: pace.gap, after: isResumption ? .resumed : .started))
      return []
    case (.recording(var track), .fix(let fix)):
      let entries = track.add(fix)
      state = .recording(track)
      return append(entries, at: now)
    case (.recording(var track), .storageFailed):
      _ = track.interrupt(.gap)
      return stall(track, at: now)
    case (.stalled(let track, _), .storageReady):
      state = .recording(track)
      return []
    case (.stalled(let track, let until), .wake):
      guard now >= until else { return [] }
      state = .stalled(track, until: now + pace.retry)
      return [.checkStorage]
    case (.recording, .wake):
      return sync(at: now)
    case (.recording(var track), .stop):
      state = .finished
      return track.interrupt(.paused).map { .append($0) } + [.close]
    case (.stalled, .stop):
      state = .finished
      return [.close]
    case (.idle, .stop):
      state = .finished
      return []
    case (.idle, .fix), (.idle, .storageFailed), (.idle, .storageReady), (.idle, .wake),
      (.recording, .begin), (.recording, .storageReady),
      (.stalled, .begin), (.stalled, .fix), (.stalled, .storageFailed),
      (.finished, .begin), (.finished, .fix), (.finished, .storageFailed), (.finished, .storageReady),
      (.finished, .stop), (.finished, .wake):
      return []
    }
  }

  /// Appends entries; one sync follows for all entries appended until then.
  private mutating func append(_ entries: [TrackEntry], at now: Instant) -> [Action] {
    // An overdue sync comes first: `wake` may be late, so that the fix arrives before it.
    let due = sync(at: now)
    if !entries.isEmpty, syncAt == nil { syncAt = now + syncInterval }
    return due + entries.map { .append($0) }
  }

  private mutating func sync(at now: Instant) -> [Action] {
    guard let due = syncAt, now >= due else { return [] }
    syncAt = nil
    syncInterval = min(syncInterval * 2, pace.sync)
    return [.sync]
  }

  private mutating func stall(_ track: LogTrack, at now: Instant) -> [Action] {
    syncAt = nil
    state = .stalled(track, until: now + pace.retry)
    return []
  }
}

/// Why stored data cannot be read or written.
package enum StorageCause: UInt8, Hashable, Sendable, CaseIterable {
  case other = 0
  /// The file system is full, or the quota or the size limit is reached.
  case noRoom = 1
  /// The file system is read-only.
  case readOnly = 2
  /// This user has no permission.
  case denied = 3
  /// The disk reports errors.
  case diskError = 4
  /// The stored data is corrupt.
  case damaged = 5
  /// A later version wrote it.
  case laterVersion = 6
  /// Other processes use it; a retry may succeed.
  case busy = 7
}
