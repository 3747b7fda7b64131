import ArgumentParser
import LocationIPC
import LocationPolicy
import TrackFormats

/// The end conditions of a stream of events.
struct EventLimits: ParsableArguments {
  @Option(help: ArgumentHelp("End after this many events.", valueName: "number"), transform: { try Bounds.count($0) })
  var count: Int?
  @Option(
    help: ArgumentHelp("End after this time.", valueName: "seconds"),
    transform: { try Bounds.positive($0, upTo: Bounds.watch, unit: "seconds") })
  var duration: Double?
  @Flag(help: "Print JSON on a terminal, too.")
  var json = false
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
    let asJSON = limits.json || !Results.areForPeople
    let line =
      asJSON
      ? EventJSON.object(reply.event, list: reply.list).line : Array("\(EventDescription.line(reply.event))\n".utf8)
    if let failure = Results.write(line) { return session.finish(failure) }
    count += 1
    if let limit = limits.count, count >= limit { session.finish(.done) }
  }
}
