import LocationStore
import TrackFormats

/// A log that the service has recorded.
struct LogSource: TimelineSource {
  let log: String
  /// Decrypts an encrypted log; `nil`: no key was given.
  let key: OwnerKey?
  let session: CommandSession

  func load(into timeline: inout TrackTimeline) -> CommandStatus? {
    var read = timeline
    let status = LogReading(session, log: log, key: key) {
      read.append($0)
      return nil
    }.execute()
    guard status == .done else { return status }
    guard read.count > timeline.count else {
      return Diagnostics.report(
        FailureMessage(
          "Log \(TerminalText.sanitized(log)) is empty: use another log.",
          .badInput))
    }
    timeline = read
    return nil
  }
}
