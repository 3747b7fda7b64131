import LocationIPC
import LocationPolicy
import TrackFormats

/// Prints the satellites, line by line or as a plot, until a limit, the end of the source, a closed pipe or a signal.
final class SkyStream: CommandHandler {
  /// The output form of the satellites.
  enum Output: Hashable {
    case lines(SkyFormat)
    case picture
  }

  /// The output form and the end conditions.
  struct Plan {
    var output: Output
    /// End after this many epochs, of all receivers together.
    var count: Int?
    /// End after this time.
    var duration: Duration?
    /// Fail if nothing was shown by then.
    var timeout: Duration?
    var waitsForSource: Bool
    /// Whether the source is a recording, whose end is not a failure.
    var isRecorded: Bool
  }

  /// The replies of the service to the two requests of this command.
  enum Reply {
    case sky(SkyReport)
    case fix(FixEvent)
  }

  /// The request for the fixes whose values are shown in the plot.
  private static let updates = RequestID(2)

  let session: CommandSession
  private let plan: Plan
  private var display: SkyDisplay?
  private var delivered = 0
  /// Whether a receiver has listed satellites.
  private var hasListed = false
  /// The last report and the last progress, which state why there is no list.
  private var report: SkyReport?
  private var progress: LocationProgress?

  init(_ session: CommandSession, _ plan: Plan) { (self.session, self.plan) = (session, plan) }

  func start() {
    session.endWhenOutputCloses()
    if plan.output == .picture {
      display = SkyDisplay(session)
    }
    if let duration = plan.duration { session.setTimer(after: duration) { [unowned self] in endOfDuration() } }
    if let timeout = plan.timeout {
      session.setTimer(after: timeout) { [unowned self] in if !hasListed { failLate(than: "the timeout") } }
    }
    session.showProgress()
    session.send(ServiceRequest.sky(waitsForSource: plan.waitsForSource).map { Reply.sky($0) }, for: self)
    guard plan.output == .picture else { return }
    var options = UpdateOptions(waitsForSource: plan.waitsForSource, setsReceivers: false)
    options.device = session.device
    session.send(ServiceRequest.updates(options).map { Reply.fix($0) }, as: Self.updates, for: self)
  }

  func receive(_ reply: Reply, to request: RequestID) {
    switch reply {
    case .sky(let report): receive(report)
    case .fix(.fix(let fix, let age)): display?.show(LocatedFix(fix, age: age))
    case .fix(.change): break
    }
  }

  private func receive(_ report: SkyReport) {
    guard report.device == session.device ?? report.device else { return }
    session.endProgress()
    self.report = report
    hasListed = hasListed || report.satellites?.isEmpty == false
    show(report)
    delivered += 1
    if let count = plan.count, delivered >= count { session.finish(.done) }
  }

  func receive(_ failure: LocationFailure, of request: RequestID) {
    // If the fixes fail, the satellites are still shown.
    guard request != Self.updates else { return }
    if plan.isRecorded, delivered > 0, case .sourceEnded = failure { return session.finish(.done) }
    session.fail(FailureMessage(ofReceivers: failure))
  }

  func receive(_ progress: LocationProgress, of request: RequestID) {
    guard request != Self.updates else { return }
    self.progress = progress
    session.show(progress, namesHolder: delivered == 0)
  }

  private func show(_ report: SkyReport) {
    switch plan.output {
    case .lines(.json): write(SkyJSON.line(report))
    case .lines(.text): write(SkyTable.block(report, .ofFixes))
    case .picture: display?.show(report)
    }
  }

  private func write(_ line: [UInt8]) {
    if let failure = Results.write(line) { session.finish(failure) }
  }

  private func endOfDuration() {
    guard delivered == 0 else { return session.finish(.done) }
    failLate(than: "--duration ended")
  }

  private func failLate(than end: String) {
    session.fail(
      FailureMessage(
        "No receiver listed its satellites before \(end): \(SkyCause.text(report, progress)).", .locationUnknown))
  }
}
