import ArgumentParser
import LocationIPC
import LocationPolicy
import TrackFormats

/// The end conditions of a stream of events.
struct EventLimits: ParsableArguments {
  @Option(
    name: [.customShort("n"), .long], help: ArgumentHelp("End after this many events.", valueName: "number"),
    transform: { try Bounds.count($0) })
  var count: Int?
  @Option(
    help: ArgumentHelp("End after this time.", valueName: "time"),
    transform: { try Bounds.time($0, upTo: Bounds.watch) })
  var duration: Double?
  @OptionGroup var report: ReportStyle
}

/// The events of one subject, printed one per line until a limit, a closed pipe or a signal.
final class EventStream: CommandHandler {
  let session: CommandSession
  private let limits: EventLimits
  private let isIncluded: (MonitoringEvent) -> Bool
  private var count = 0

  init(_ session: CommandSession, _ limits: EventLimits, where isIncluded: @escaping (MonitoringEvent) -> Bool) {
    (self.session, self.limits, self.isIncluded) = (session, limits, isIncluded)
  }

  func start() {
    session.endWhenOutputCloses()
    if let duration = limits.duration {
      session.setTimer(after: .seconds(duration)) { [unowned self] in session.finish(.done) }
    }
    session.send(.monitoringEvents, for: self)
  }

  func receive(_ reply: (event: MonitoringEvent, list: String), to request: RequestID) {
    guard isIncluded(reply.event) else { return }
    let asJSON = limits.report.isJSON
    let look = Presentation.ofFixes
    let line =
      asJSON
      ? EventJSON.object(reply.event, list: reply.list).line
      : TextTable.bytes([EventDescription.line(reply.event, look)], look)
    if let failure = Results.write(line) { return session.finish(failure) }
    count += 1
    if let limit = limits.count, count >= limit { session.finish(.done) }
  }
}
