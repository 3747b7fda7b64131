import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import TrackFormats

/// Prints a stream of fixes, line by line or as a panel, until a limit, the end of the source, a closed pipe or a
/// signal.
final class FixStream: CommandHandler {
  /// The end conditions of a stream, and the output form of its lines.
  struct Plan {
    var options = UpdateOptions()
    var style: OutputStyle
    /// The notations of positions in text and JSON.
    var notations: [CoordinateStyle] = []
    /// End after this many fixes.
    var count: Int?
    /// End after this time.
    var duration: Duration?
    /// Whether the source is a recording: its end is not a failure, and its events have the time of the recording
    /// instead of the present.
    var isRecorded: Bool
    /// Whether lines are written in large blocks, because no one waits for a single line.
    var isBuffered = false
    /// Names the places of fixes; `nil`: not wanted.
    var names: PlaceNames?
    /// Whether a panel is drawn on the terminal instead of lines.
    var isPanel = false
    /// Updates in the background arrive together, each time that the distance or the time is reached; `nil`: at once.
    var batch: DeferralLimits?
  }

  /// The replies of the service to the requests of this command.
  enum Reply {
    case fix(DeferrableEvent)
    case sky(SkyReport)
    /// The distance or the time of `--batch` is reached.
    case batchIsOver
  }

  /// The request for the satellites of the panel.
  private static let sky = RequestID(2)
  /// How long the service may take at the end to deliver the fixes that it holds.
  private static let patience: Duration = .seconds(2)

  /// The buffered lines are written when they have this many bytes.
  private static let bufferSize = 65_536

  let session: CommandSession
  private let plan: Plan
  private var writer: StreamWriter
  private var isOpened = false
  /// Whether the service has sent a fix, an event or any progress but that of waiting for a port. It sends none of
  /// these before access is granted.
  private var hasBegun = false
  private var delivered = 0
  private var lastTime: GNSSTime?
  /// The last progress of the fixes, which states the reason of a loss.
  private var progress: LocationProgress?
  /// The request that defers the updates now, and the number of the last one.
  private var deferral: RequestID?
  private var lastRequest: UInt32 = 2
  /// Ends the command after the service has delivered what it holds; `nil`: the command does not end.
  private var ending: (() -> Void)?
  /// Whether the lines of a batch are being collected, to be written together.
  private var isInBatch = false
  /// Buffered lines that have not been written yet.
  private var unwritten: [UInt8] = []
  private let panel: WatchDisplay?

  init(_ session: CommandSession, _ plan: Plan) {
    self.session = session
    var plan = plan
    plan.options.device = session.device
    self.plan = plan
    self.writer = StreamWriter(plan.style, .ofFixes)
    panel = plan.isPanel ? WatchDisplay(session) : nil
  }

  func start() {
    session.endWhenOutputCloses()
    if let duration = plan.duration { session.setTimer(after: duration) { [unowned self] in endOfDuration() } }
    session.showProgress()
    session.send(ServiceRequest.deferrableUpdates(plan.options).map { Reply.fix($0) }, for: self)
    if let batch = plan.batch {
      deferUpdates(batch)
      session.onInterruption = { [unowned self] status in end { [unowned self] in session.finish(status) } }
    }
    if panel != nil, plan.options.usesReceiverAnyway {
      session.send(ServiceRequest.sky(waitsForSource: false).map { Reply.sky($0) }, as: Self.sky, for: self)
    }
  }

  func receive(_ reply: Reply, to request: RequestID) {
    switch reply {
    case .fix(.single(.fix(let fix, let age))):
      receive(fix, age)
      // The last call has failed, for example because the service was restarted.
      if let batch = plan.batch, deferral == nil, ending == nil, !session.isOver { deferUpdates(batch) }
    case .fix(.single(.change(let change))):
      hasBegun = true
      show(StreamEvent(change, at: eventTime, after: progress))
    case .fix(.batch(let batch, let age)):
      isInBatch = true
      for (fix, age) in batch.fixes(newestAge: age) where !session.isOver { receive(fix, age) }
      isInBatch = false
      if !session.isOver { _ = flush() }
    case .sky(let report):
      if report.device == session.device ?? report.device { panel?.show(report) }
    case .batchIsOver:
      guard request == deferral else { return }
      deferral = nil
      if let ending { return ending() }
      if let batch = plan.batch { deferUpdates(batch) }
    }
  }

  private func receive(_ fix: PositionFix, _ age: Duration) {
    session.endProgress()
    lastTime = fix.time
    hasBegun = true
    var located = LocatedFix(fix, age: age)
    located.notations = plan.notations
    guard show(located) else { return }
    delivered += 1
    if let count = plan.count, delivered >= count { session.finish(.done) }
  }

  /// Defers the updates; this ends the call before.
  private func deferUpdates(_ limits: DeferralLimits) {
    lastRequest += 1
    let request = RequestID(lastRequest)
    deferral = request
    session.send(
      ServiceRequest<Void>.deferUpdates(of: CommandSession.request, limits).map { _ in Reply.batchIsOver }, as: request,
      for: self)
  }

  /// Calls `body` after the service has delivered what it holds; a second call does not wait.
  private func end(_ body: @escaping () -> Void) {
    guard plan.batch != nil, ending == nil else { return body() }
    ending = body
    session.setTimer(after: Self.patience) { body() }
    deferUpdates(.ended)
  }

  /// Shows a fix; returns `false` if that has ended the stream.
  private func show(_ located: LocatedFix) -> Bool {
    guard let panel else {
      guard let names = plan.names else { return write(writer.line(located)) }
      let found = names.place(of: located)
      let line = Array(writer.line(located))
      if plan.style == .format(.json) { return write(PlaceNames.adding(found, to: line)[...]) }
      guard let found, line.last == UInt8(ascii: "\n") else { return write(line[...]) }
      let place = TerminalText.sanitized(found.line, limit: 400)
      let look = Presentation.ofFixes
      // A line of a fix already uses the width of the terminal.
      guard let width = look.width else { return write((line.dropLast() + Array("  \(place)\n".utf8))[...]) }
      let text = TextTable.wrapped(StyledText(place), within: max(20, width - 4)).map { StyledText("    ") + $0 }
      return write((line + TextTable.bytes(text, look))[...])
    }
    panel.show(located)
    return !session.isOver
  }

  private func show(_ event: StreamEvent) {
    if let panel { panel.show(event) } else { _ = write(writer.line(event)[...]) }
  }

  func receive(_ failure: LocationFailure, of request: RequestID) {
    // The panel continues without the satellites: Wi-Fi has none, and not every user has access to them.
    guard request != Self.sky else { return }
    if case .deferral = failure {
      // A call that another one has ended.
      guard request == deferral else { return }
      deferral = nil
      ending?()
      return
    }
    switch failure {
    case .sourceEnded where plan.isRecorded && delivered > 0: session.finish(.done)
    // The end of a recording that a daemon plays is not a lack of fixes.
    case .sourceEnded(let path) where delivered > 0:
      fail(
        FailureMessage(
          "\(TerminalText.sanitized(path)) has ended: there is nothing more to play.", .locationUnknown))
    case .notAuthorized(let denial, let identity):
      if hasBegun { show(.denied(at: eventTime)) }
      fail(FailureMessage(denial, identity))
    default: fail(FailureMessage(failure))
    }
  }

  func receive(_ progress: LocationProgress, of request: RequestID) {
    // While another process uses the port, there is no stream that could be interrupted.
    if case .waitingForPort = progress {} else { hasBegun = true }
    guard request != Self.sky else { return }
    self.progress = progress
    guard panel?.show(progress) != true else { return }
    session.show(progress, namesHolder: true)
  }

  private var eventTime: GNSSTime? { plan.isRecorded ? lastTime : GNSSTime.ofThisMachine }

  private func endOfDuration() { end { [unowned self] in reportEndOfDuration() } }

  private func reportEndOfDuration() {
    guard delivered == 0 else { return session.finish(.done) }
    let wanted = plan.options.desiredRadius68 == nil ? "" : " within the requested accuracy"
    fail(
      FailureMessage(
        "There was no fix\(wanted) before --duration ended: see why with 'locationctl doctor'.", .locationUnknown))
  }

  /// Writes a line; the first one is preceded by the opening of the format. Returns `false` if that has ended the
  /// stream.
  private func write(_ line: ArraySlice<UInt8>) -> Bool {
    guard !session.isOver, !line.isEmpty else { return !session.isOver }
    unwritten += isOpened ? writer.separator : writer.opening
    unwritten += line
    isOpened = true
    return (plan.isBuffered || isInBatch) && unwritten.count < Self.bufferSize || flush()
  }

  /// Writes the buffer; returns `false` if that has ended the stream.
  private func flush() -> Bool {
    guard !unwritten.isEmpty else { return true }
    session.clearProgress()
    defer { unwritten.removeAll(keepingCapacity: true) }
    guard let failure = Results.write(unwritten) else { return true }
    // Writing has failed; therefore the closing of the format is omitted too.
    isOpened = false
    session.finish(failure)
    return false
  }

  /// Ends the stream with a message, which follows the buffered lines.
  private func fail(_ message: FailureMessage) {
    guard !session.isOver, flush() else { return }
    session.fail(message)
  }

  func finish(_ status: CommandStatus) -> CommandStatus {
    if let panel {
      let isClean = [.done, .interrupted, .terminated].contains(status)
      // Ignore an error: the terminal may no longer exist.
      if isClean { _ = StandardOutput.write(panel.lastLines) }
      return status
    }
    guard isOpened, let failure = Results.write(unwritten + writer.closing), status == .done else { return status }
    return failure
  }
}

extension UpdateOptions {
  /// Whether these updates keep the receiver on all the time, so that watching its satellites costs no extra power.
  fileprivate var usesReceiverAnyway: Bool { desiredRadius68 == nil && !pausesAutomatically }
}
