import Geodesy
import LocationIPC
import LocationPolicy
import LocationdClient
import TrackFormats

/// A stream of fixes, printed line by line until a limit, the end of the source, a closed pipe or a signal.
final class StreamRun {
  /// The end conditions of a stream, and the output form of its lines.
  struct Plan {
    var options = UpdateOptions()
    var style: OutputStyle
    /// End after this many fixes.
    var count: Int?
    /// End after this long.
    var duration: Duration?
    /// The source is a recording: its end is no failure, and its events are dated by its own time rather than the present.
    var isRecorded: Bool
    /// Lines are written in large blocks because no one waits for a single line.
    var isBuffered = false
  }

  /// The most bytes that are buffered before they are written.
  private static let bufferSize = 65_536

  private let host: any ServiceAccess
  private let plan: Plan
  private var writer: StreamWriter
  private let progress: ProgressDisplay
  private let request = RequestID(1)
  private var status: CommandStatus?
  private var isOpened = false
  private var hasSaidToWait = false
  /// Whether the service has sent anything for this request; it sends nothing before access is granted.
  private var hasBegun = false
  private var delivered = 0
  private var lastTime: GNSSTime?
  /// Buffered lines that are not written yet.
  private var unwritten: [UInt8] = []

  init(host: any ServiceAccess, plan: Plan) {
    self.host = host
    var plan = plan
    plan.options.device = host.device
    self.plan = plan
    self.writer = StreamWriter(plan.style)
    self.progress = ProgressDisplay(host: host)
  }

  func execute() -> CommandStatus {
    host.onEvent = { [weak self] in self?.receive($0) }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    host.onOutputClosed { [weak self] in self?.end(.done) }
    if let duration = plan.duration {
      host.setTimer(after: duration) { [weak self] in self?.endOfDuration() }
    }
    progress.start()
    host.send(.startUpdates(request, plan.options))
    progress.watchAuthorization()
    // The host holds only a weak reference to this run.
    if let failure = withExtendedLifetime(self, { host.serve() }) { return status ?? failure }
    if status == nil { fail("The location service ended without an answer: try again.", .protocolError) }
    return status ?? .protocolError
  }

  private func receive(_ event: ServiceEvent) {
    guard status == nil else { return }
    progress.hear(event)
    switch event {
    case .update(request, let fix, let age):
      progress.end()
      lastTime = fix.time
      hasBegun = true
      guard write(writer.line(LocatedFix(fix, age: age))) else { return }
      delivered += 1
      if let count = plan.count, delivered >= count { end(.done) }
    case .streamChanged(request, let change):
      hasBegun = true
      _ = write(writer.line(StreamEvent(change, at: eventTime))[...])
    case .failed(request, .sourceEnded) where plan.isRecorded && delivered > 0: end(.done)
    // A recording that a daemon plays: its end is not a lack of fixes.
    case .failed(request, .sourceEnded(let path)) where delivered > 0:
      fail("\(TerminalText.sanitized(path)) has ended: there is nothing more to play.", .locationUnknown)
    case .failed(request, .notAuthorized(let denial, let identity)):
      if hasBegun { _ = write(writer.line(.denied(at: eventTime))[...]) }
      let sentence = FailureSentence(denial, identity)
      fail(sentence.text, sentence.status)
    case .failed(request, let failure):
      let sentence = FailureSentence(failure)
      fail(sentence.text, sentence.status)
    case .progress(request, .waitingForPort(let path)) where !hasSaidToWait:
      hasSaidToWait = true
      Diagnostics.say(FailureSentence.waiting(for: path))
    case .progress(request, let state):
      hasBegun = true
      progress.show(state)
    // Events that this run did not request.
    case .located, .failed, .progress, .update, .streamChanged, .sky, .devices, .done, .status, .log, .heard,
      .authorization, .wifi, .monitoring:
      break
    }
  }

  private var eventTime: GNSSTime? { plan.isRecorded ? lastTime : GNSSTime.ofThisMachine }

  private func endOfDuration() {
    guard delivered == 0 else { return end(.done) }
    let wanted = plan.options.desiredRadius68 == nil ? "" : " within the requested accuracy"
    fail("There was no fix\(wanted) in that time: see why with 'locationctl doctor'.", .locationUnknown)
  }

  /// Writes a line, preceded by the opening of the format if it is the first; returns false if that ended the stream.
  private func write(_ line: ArraySlice<UInt8>) -> Bool {
    guard status == nil, !line.isEmpty else { return status == nil }
    unwritten += isOpened ? writer.separator : writer.opening
    unwritten += line
    isOpened = true
    return plan.isBuffered && unwritten.count < Self.bufferSize || flush()
  }

  /// Writes the buffer; returns false if that ended the stream.
  private func flush() -> Bool {
    guard !unwritten.isEmpty else { return true }
    progress.clear()
    defer { unwritten.removeAll(keepingCapacity: true) }
    guard let failure = Results.write(unwritten) else { return true }
    // Writing has failed, so the closing of the format is omitted too.
    isOpened = false
    end(failure)
    return false
  }

  private func fail(_ sentence: String, _ status: CommandStatus) {
    guard self.status == nil, flush() else { return }
    progress.end()
    Diagnostics.say(sentence)
    end(status)
  }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    progress.end()
    self.status = status
    if isOpened, let failure = Results.write(unwritten + writer.closing), status == .done { self.status = failure }
    host.stop()
  }
}
