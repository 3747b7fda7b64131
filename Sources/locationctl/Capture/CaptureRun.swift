import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdHost

/// One capture, from its first byte to the end.
///
/// Two requests run at the same time: `stream` keeps the receivers open in any case, because most captures are made
/// because a receiver does not work; `check` reports why no data is received at all.
final class CaptureRun: CommandHandler {
  private static let stream = RequestID(1)
  private static let check = RequestID(2)

  let session: CommandSession
  private let receivers: ReceiverOutput
  private let recording: CaptureRecording
  private let limits: CaptureRecording.Limits
  private let isRecorded: Bool
  private var fixes = 0

  init(
    _ session: CommandSession, of receivers: ReceiverOutput, to recording: CaptureRecording,
    limits: CaptureRecording.Limits, isRecorded: Bool
  ) {
    self.session = session
    self.receivers = receivers
    self.recording = recording
    self.limits = limits
    self.isRecorded = isRecorded
  }

  func start() {
    receivers.record(to: recording)
    recording.onEnd = { [unowned self] in limitReached($0) }
    if !isRecorded, let duration = limits.duration {
      session.setTimer(after: duration) { [unowned self] in endOfDuration() }
    }
    flushEverySecond()
    session.showProgress { [unowned self] in
      "\(recording.bytesReceived) bytes, \(CountedNoun.text(fixes, "fix", "fixes"))"
    }
    // Record the receiver with its current configuration.
    session.send(.updates(UpdateOptions(waitsForSource: true, setsReceivers: false)), as: Self.stream, for: self)
    session.send(.updates(UpdateOptions(setsReceivers: false)), as: Self.check, for: self)
  }

  private func flushEverySecond() {
    session.setTimer(after: .seconds(1)) { [unowned self] in
      recording.flush()
      flushEverySecond()
    }
  }

  func receive(_ event: FixEvent, to request: RequestID) {
    if request == Self.stream, case .fix = event { fixes += 1 }
  }

  func receive(_ failure: LocationFailure, of request: RequestID) {
    if isRecorded {
      if case .sourceEnded = failure { session.finish(.done) } else { session.fail(FailureMessage(failure)) }
    } else if request == Self.check, recording.bytesReceived == 0 {
      // A failure counts only before any data has been received: afterwards, the interpretation of the data is left to
      // the reader of the capture. The raw output of the receivers requires "always" permission.
      session.fail(FailureMessage(ofReceivers: failure, needsAlways: true))
    }
  }

  func receive(_ progress: LocationProgress, of request: RequestID) {
    if request == Self.stream { session.show(progress, namesHolder: true) }
  }

  private func endOfDuration() {
    guard recording.bytesReceived == 0 else { return session.finish(.done) }
    session.fail(
      FailureMessage(
        "No receiver sent anything before --duration ended: see why with 'locationctl doctor'.", .locationUnknown))
  }

  /// Called when a limit was reached, or writing failed.
  private func limitReached(_ failure: CaptureFileError?) {
    guard let failure, failure != .readerGone else { return session.finish(.done) }
    session.fail(FailureMessage(failure))
  }

  func finish(_ status: CommandStatus) -> CommandStatus {
    if recording.bytesReceived == 0, status != .done {
      recording.discard()
    } else if let failure = recording.finish(), failure != .readerGone {
      return Diagnostics.report(FailureMessage(failure))
    }
    return status
  }
}
