import ArgumentParser
import LocationIPC
import LocationPolicy
import TrackFormats

/// The end conditions and the output format of a stream of events.
struct EventLimits: ParsableArguments {
  @OptionGroup var stream: StreamLimits<EventItem>
  @OptionGroup var report: ReportStyle
}

/// The events of one kind, such as visits, printed one per line until a limit, a closed pipe or a signal.
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
    if let time = limits.stream.time {
      session.setTimer(after: time) { [unowned self] in session.finish(.done) }
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
      : TextTable.bytes(TextTable.wrapped(EventDescription.line(reply.event, look), within: look.width ?? .max), look)
    if let failure = Results.write(line) { return session.finish(failure) }
    count += 1
    if let limit = limits.stream.count, count >= limit { session.finish(.done) }
  }
}
