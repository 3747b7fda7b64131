import Geodesy
import LocationIPC
import LocationPolicy

/// The expected content of a log, determined only by its state machine: kept in memory, without the store.
struct ExpectedTrack {
  private(set) var entries: [TrackEntry] = []
  /// For each power failure, the number of entries that were not on the disk.
  private(set) var losses: [Int] = []
  private var recorder: LogRecorder?
  private var synced = 0
  private var begin = Instant(nanoseconds: 0)

  mutating func begin(isResumption: Bool, at now: Instant) {
    recorder = LogRecorder(LogOptions())
    begin = now
    receive(.begin(isResumption: isResumption), at: now)
  }

  mutating func receive(_ event: ServiceEvent, at now: Instant) {
    if case .update(_, let fix, _) = event, fix.receivedAt >= begin { receive(.fix(fix), at: now) }
  }

  mutating func end(at now: Instant) {
    receive(.stop, at: now)
    recorder = nil
  }

  mutating func wake(at now: Instant) {
    if let due = recorder?.nextDeadline, due <= now { receive(.wake, at: now) }
  }

  var nextDeadline: Instant? { recorder?.nextDeadline }

  mutating func powerFailed() {
    losses.append(entries.count - synced)
    entries.removeLast(entries.count - synced)
    recorder = nil
  }

  private mutating func receive(_ input: LogRecorder.Input, at now: Instant) {
    for action in recorder?.handle(input, at: now) ?? [] {
      switch action {
      case .append(let entry): entries.append(entry)
      case .sync, .close: synced = entries.count
      case .checkStorage: break
      }
    }
  }
}
