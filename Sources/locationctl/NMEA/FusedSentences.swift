import GPSDServer
import Geodesy
import LocationIPC
import LocationPolicy
import TrackFormats

/// Sentences that are made from the position of the service and the satellites of its receivers.
final class FusedSentences: CommandHandler {
  private static let fixes = RequestID(1)
  private static let sky = RequestID(2)

  /// The replies of the service to the two requests.
  enum Reply {
    case fix(FixEvent)
    case sky(SkyReport)
  }

  let session: CommandSession
  private let plan: SentencePlan
  private let output: SentenceOutput

  init(_ session: CommandSession, _ plan: SentencePlan, _ output: SentenceOutput) {
    (self.session, self.plan, self.output) = (session, plan, output)
  }

  func start() {
    session.endWhenOutputCloses()
    if let duration = plan.duration { session.setTimer(after: duration) { [unowned self] in endOfDuration() } }
    session.showProgress()
    var options = UpdateOptions()
    options.device = session.device
    session.send(ServiceRequest.updates(options).map { Reply.fix($0) }, as: Self.fixes, for: self)
    session.send(ServiceRequest.sky(waitsForSource: true).map { Reply.sky($0) }, as: Self.sky, for: self)
  }

  func receive(_ reply: Reply, to request: RequestID) {
    switch reply {
    case .fix(.fix(let fix, let age)): write(NMEAFormat.sentences(LocatedFix(fix, age: age)))
    case .fix(.change(.lost)): write(NMEAFormat.lost(at: Timestamp(GNSSTime.ofThisMachine)))
    case .fix(.change): break
    case .sky(let report):
      // Satellites belong to one receiver; without a position they are of no use.
      guard output.written > 0, report.device == session.device ?? report.device else { return }
      write(SkySentences.sentences(report))
    }
  }

  func receive(_ failure: LocationFailure, of request: RequestID) {
    // A source without satellites, such as Wi-Fi, still has a position.
    guard request == Self.fixes else { return }
    if plan.isRecorded, output.written > 0, case .sourceEnded = failure { return session.finish(.done) }
    session.fail(FailureMessage(failure))
  }

  func receive(_ progress: LocationProgress, of request: RequestID) {
    if request == Self.fixes { session.show(progress, namesHolder: output.written == 0) }
  }

  private func write(_ bytes: [UInt8]) {
    session.endProgress()
    for sentence in bytes.split(separator: 0x0A) where !session.isOver {
      if let status = output.write(Array(sentence) + [0x0A]) { session.finish(status) }
    }
  }

  private func endOfDuration() {
    guard output.written == 0 else { return session.finish(.done) }
    session.fail(
      FailureMessage("There was no fix before --duration ended: see why with 'locationctl doctor'.", .locationUnknown))
  }
}
