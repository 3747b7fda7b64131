import LocationIPC
import LocationPolicy
import LocationdClient
import LocationdHost
import LocationdServer

/// One capture, from its first byte to the end.
///
/// Two requests run at the same time. `keeper` keeps the receivers open whatever happens, because most captures are made of a
/// receiver that does not work; `asker` reports why no data is received at all.
final class CaptureRun {
  private let host: EmbeddedHost
  private let recording: CaptureRecording
  private let limits: CaptureRecording.Limits
  private let isRecorded: Bool
  private let progress: ProgressDisplay
  private let keeper = RequestID(1)
  private let asker = RequestID(2)
  private var fixes = 0
  private var hasSaidToWait = false
  private var status: CommandStatus?

  init(host: EmbeddedHost, recording: CaptureRecording, limits: CaptureRecording.Limits, isRecorded: Bool) {
    self.host = host
    self.recording = recording
    self.limits = limits
    self.isRecorded = isRecorded
    progress = ProgressDisplay(host: host)
  }

  func execute() -> CommandStatus {
    host.record(to: recording)
    recording.onEnd = { [weak self] failure in self?.ended(failure) }
    host.onEvent = { [weak self] in self?.receive($0) }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    if !isRecorded, let duration = limits.duration {
      host.setTimer(after: duration) { [weak self] in self?.endOfDuration() }
    }
    flushEverySecond()
    progress.note = { [weak self] in self?.note ?? "" }
    progress.start()
    // Record the receiver with its present configuration.
    host.send(.startUpdates(keeper, UpdateOptions(waitsForSource: true, setsReceivers: false)))
    host.send(.startUpdates(asker, UpdateOptions(setsReceivers: false)))
    // The host holds only a weak reference to this run.
    if let failure = withExtendedLifetime(self, { host.serve() }) {
      _ = recording.finish()
      return status ?? failure
    }
    if status == nil { fail("The location service ended without an answer: try again.", .protocolError) }
    return status ?? .protocolError
  }

  private var note: String {
    "\(recording.bytesHeard) bytes, \(fixes) fix\(fixes == 1 ? "" : "es")"
  }

  private func flushEverySecond() {
    host.setTimer(after: .seconds(1)) { [weak self] in
      guard let self, status == nil else { return }
      recording.flush()
      flushEverySecond()
    }
  }

  private func receive(_ event: ServiceEvent) {
    guard status == nil else { return }
    switch event {
    case .update(keeper, _, _): fixes += 1
    case .failed(_, .sourceEnded) where isRecorded: end(.done)
    case .failed(_, let failure) where isRecorded: fail(FailureSentence(failure))
    // Once data was received, interpreting it is up to the reader of the capture.
    case .failed(asker, let failure) where recording.bytesHeard == 0:
      // The raw output of the receivers requires "always" permission.
      fail(FailureSentence(failure, wishesAlways: true))
    case .progress(keeper, .waitingForPort(let path)) where !hasSaidToWait:
      hasSaidToWait = true
      Diagnostics.say(FailureSentence.waiting(for: path))
    case .progress(keeper, let state): progress.show(state)
    case .failed, .located, .progress, .update, .streamChanged, .devices, .sky, .done, .status, .log, .heard,
      .authorization, .wifi, .monitoring:
      break
    }
  }

  private func endOfDuration() {
    guard recording.bytesHeard == 0 else { return end(.done) }
    fail("No receiver sent anything in that time: see why with 'locationctl doctor'.", .locationUnknown)
  }

  /// A limit was reached, or writing failed.
  private func ended(_ failure: CaptureFileError?) {
    guard let failure else { return end(.done) }
    if failure == .readerGone { return end(.done) }
    fail(FailureSentence(failure))
  }

  private func fail(_ sentence: FailureSentence) { fail(sentence.text, sentence.status) }

  private func fail(_ sentence: String, _ status: CommandStatus) {
    guard self.status == nil else { return }
    progress.end()
    Diagnostics.say(sentence)
    end(status)
  }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    progress.end()
    self.status = status
    host.stop()
    if recording.bytesHeard == 0, status != .done {
      recording.discard()
    } else if let failure = recording.finish(), failure != .readerGone {
      self.status = Diagnostics.end(FailureSentence(failure))
    }
  }
}
