package import Geodesy
package import LocationIPC
package import TrackFormats

/// The data that the panel of `watch` shows: the latest fix and the history before it, the satellites, and the events
/// of the stream.
package struct WatchPanelState: Sendable {
  private static let maximumEvents = 32

  /// The state of the stream.
  package enum Stream: Hashable, Sendable {
    /// There has been no fix yet.
    case waiting(LocationProgress?)
    case running
    /// No fixes arrive, for the reason that the event states.
    case interrupted(StreamEvent, since: Instant)
  }

  package private(set) var stream = Stream.waiting(nil)
  package private(set) var history = FixHistory()
  /// Whether there is no current position: the values of the latest fix are those of the past.
  package var isInterrupted: Bool { if case .interrupted = stream { true } else { false } }
  /// The newest is last.
  package private(set) var events: [StreamEvent] = []
  /// The latest report of each receiver.
  private var reports: [(report: SkyReport, receivedAt: Instant)] = []

  /// A receiver that has sent no report for this long is removed.
  private static let timeout: Duration = .seconds(60)
  private static let maximumReceivers = 16

  package init() {}

  package mutating func receive(_ located: LocatedFix, at now: Instant) {
    stream = .running
    history.add(located, at: now)
  }

  package mutating func receive(_ event: StreamEvent, at now: Instant) {
    if events.count == Self.maximumEvents { events.removeFirst() }
    events.append(event)
    switch event.name {
    case .lost, .paused, .denied: stream = .interrupted(event, since: now)
    case .back, .resumed: stream = history.latest == nil ? .waiting(nil) : .running
    }
  }

  package mutating func receive(_ report: SkyReport, at now: Instant) {
    reports.removeAll { $0.report.device == report.device || now - $0.receivedAt > Self.timeout }
    if reports.count == Self.maximumReceivers { reports.removeFirst() }
    reports.append((report, now))
  }

  package mutating func receive(_ progress: LocationProgress) {
    if case .waiting = stream { stream = .waiting(progress) }
  }

  /// The satellites of the receiver from which the fix comes, otherwise the latest report; `nil`: none was received in
  /// the last minute.
  package func report(at now: Instant) -> SkyReport? {
    let recent = reports.filter { now - $0.receivedAt <= Self.timeout }
    return (recent.last { $0.report.device == history.latest?.fix.device } ?? recent.last)?.report
  }
}
