import Geodesy
import LocationIPC
import LocationPolicy
import TrackFormats

/// A stream of fixes, printed line by line until a limit, the end of the source, a closed pipe or a signal.
final class FixStream: CommandHandler {
  /// The end conditions of a stream, and the output form of its lines.
  struct Plan {
    var options = UpdateOptions()
    var style: OutputStyle
    /// The notations of positions in text and JSON.
    var notations: [CoordinateStyle] = []
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

  let session: CommandSession
  private let plan: Plan
  private var writer: StreamWriter
  private var isOpened = false
  /// Whether the service has sent anything for this request; it sends nothing before access is granted.
  private var hasBegun = false
  private var delivered = 0
  private var lastTime: GNSSTime?
  /// Buffered lines that are not written yet.
  private var unwritten: [UInt8] = []

  init(_ session: CommandSession, _ plan: Plan) {
    self.session = session
    var plan = plan
    plan.options.device = session.device
    self.plan = plan
    self.writer = StreamWriter(plan.style, width: TextTable.terminalWidth)
  }

  func start() {
    session.endWhenOutputCloses()
    if let duration = plan.duration { session.setTimer(after: duration) { [unowned self] in endOfDuration() } }
    session.showProgress()
    session.send(.updates(plan.options), for: self)
  }

  func receive(_ event: FixEvent, to request: RequestID) {
    switch event {
    case .fix(let fix, let age):
      session.endProgress()
      lastTime = fix.time
      hasBegun = true
      var located = LocatedFix(fix, age: age)
      located.notations = plan.notations
      guard write(writer.line(located)) else { return }
      delivered += 1
      if let count = plan.count, delivered >= count { session.finish(.done) }
    case .change(let change):
      hasBegun = true
      _ = write(writer.line(StreamEvent(change, at: eventTime))[...])
    }
  }

  func receive(_ failure: LocationFailure, of request: RequestID) {
    switch failure {
    case .sourceEnded where plan.isRecorded && delivered > 0: session.finish(.done)
    // A recording that a daemon plays: its end is not a lack of fixes.
    case .sourceEnded(let path) where delivered > 0:
      fail(
        FailureMessage(
          "\(TerminalText.sanitized(path)) has ended: there is nothing more to play.", .locationUnknown))
    case .notAuthorized(let denial, let identity):
      if hasBegun { _ = write(writer.line(.denied(at: eventTime))[...]) }
      fail(FailureMessage(denial, identity))
    default: fail(FailureMessage(failure))
    }
  }

  func receive(_ progress: LocationProgress, of request: RequestID) {
    // While another process has the port, there is no stream that could be interrupted.
    if case .waitingForPort = progress {} else { hasBegun = true }
    session.show(progress, namesHolder: true)
  }

  private var eventTime: GNSSTime? { plan.isRecorded ? lastTime : GNSSTime.ofThisMachine }

  private func endOfDuration() {
    guard delivered == 0 else { return session.finish(.done) }
    let wanted = plan.options.desiredRadius68 == nil ? "" : " within the requested accuracy"
    fail(
      FailureMessage(
        "There was no fix\(wanted) before --duration ended: see why with 'locationctl doctor'.", .locationUnknown))
  }

  /// Writes a line, preceded by the opening of the format if it is the first; returns false if that ended the stream.
  private func write(_ line: ArraySlice<UInt8>) -> Bool {
    guard !session.isOver, !line.isEmpty else { return !session.isOver }
    unwritten += isOpened ? writer.separator : writer.opening
    unwritten += line
    isOpened = true
    return plan.isBuffered && unwritten.count < Self.bufferSize || flush()
  }

  /// Writes the buffer; returns false if that ended the stream.
  private func flush() -> Bool {
    guard !unwritten.isEmpty else { return true }
    session.clearProgress()
    defer { unwritten.removeAll(keepingCapacity: true) }
    guard let failure = Results.write(unwritten) else { return true }
    // Writing has failed, so the closing of the format is omitted too.
    isOpened = false
    session.finish(failure)
    return false
  }

  /// Ends the stream with a message, after the lines before it.
  private func fail(_ message: FailureMessage) {
    guard !session.isOver, flush() else { return }
    session.fail(message)
  }

  func finish(_ status: CommandStatus) -> CommandStatus {
    guard isOpened, let failure = Results.write(unwritten + writer.closing), status == .done else { return status }
    return failure
  }
}
