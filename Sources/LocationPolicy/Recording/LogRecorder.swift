package import Geodesy

/// One named log: which fixes are recorded, where its track is interrupted, and when it is brought to the disk.
///
/// Left out are fixes that repeat an epoch, suspect ones (unless they are asked for), those above the accuracy gate, those that
/// the filters of distance and time hold back, and those of a stay but its first and its last. Of a stay that is not over the last
/// fix is not recorded yet: a power cut loses how long it was, not where.
package struct LogRecorder: Sendable {
  /// What the machine is told.
  package enum Input: Hashable, Sendable {
    /// Begins: by its owner, or again after the service or the machine has been started anew.
    case begin(isResumption: Bool)
    /// A fix, in the order of arrival.
    case fix(PositionFix)
    /// An append or a sync found no room; or nothing can be written for another reason.
    case storageFailed
    /// It can be written again.
    case storageReady
    /// Its owner ends it, or the service ends.
    case stop
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  /// What the shell is to do.
  package enum Action: Hashable, Sendable {
    case append(TrackEntry)
    /// Bring to the disk what was appended.
    case sync
    /// See whether it can be written again, and say `storageReady` where it can.
    case checkStorage
    /// Sync and close.
    case close
  }

  private enum State {
    case idle
    case recording(LogTrack)
    /// Nothing can be written; tried again at the instant.
    case stalled(LogTrack, until: Instant)
    case finished
  }

  private let wish: LogWish
  private let pace: LogPace
  private var state = State.idle
  private var syncAt: Instant?
  /// How long after it was due the next sync comes.
  private var syncInterval: Duration

  /// A machine for one run of a log; it cannot be used twice.
  package init(_ wish: LogWish, pace: LogPace = LogPace()) {
    self.wish = wish
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

  /// Takes one input and says what to do about it.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (.idle, .begin(let isResumption)):
      state = .recording(LogTrack(wish, gap: pace.gap, after: isResumption ? .resumed : .started))
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

  /// A sync follows what is appended, once for all that comes meanwhile.
  private mutating func append(_ entries: [TrackEntry], at now: Instant) -> [Action] {
    // A sync that is overdue comes first: its wake may be late, and the fix is told of before it.
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
