import ArgumentParser
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdClient
import TrackFormats

/// The end conditions of following events.
struct FollowLimits: ParsableArguments {
  @Option(help: ArgumentHelp("End after this many events.", valueName: "number"), transform: { try Bounds.count($0) })
  var count: Int?
  @Option(
    help: ArgumentHelp("End after this time.", valueName: "seconds"),
    transform: { try Bounds.positive($0, upTo: Bounds.watch, unit: "seconds") })
  var duration: Double?
  @Flag(help: "Print JSON on a terminal, too.")
  var json = false
}

/// Prints events, one per line, until a limit, a closed pipe or a signal.
final class EventFollowing {
  private let host: any ServiceAccess
  private let limits: FollowLimits
  private let isWanted: (MonitoringEvent) -> Bool
  private let request = RequestID(1)
  private var count = 0
  private var status: CommandStatus?

  init(host: any ServiceAccess, limits: FollowLimits, where isWanted: @escaping (MonitoringEvent) -> Bool) {
    (self.host, self.limits, self.isWanted) = (host, limits, isWanted)
  }

  func execute() -> CommandStatus {
    guard host is RemoteHost else { return Diagnostics.report(FailureMessage(.monitoring(.needsDaemon))) }
    host.onEvent = { [weak self] in self?.receive($0) }
    defer { host.onEvent = nil }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    host.onOutputClosed { [weak self] in self?.end(.done) }
    if let duration = limits.duration { host.setTimer(after: .seconds(duration)) { [weak self] in self?.end(.done) } }
    host.send(.monitoring(request, .follow(list: nil, receives: false)))
    // The host holds only a weak reference to this object.
    if let failure = withExtendedLifetime(self, { host.serve() }) { return status ?? failure }
    return status ?? .protocolError
  }

  private func receive(_ event: ServiceEvent) {
    guard status == nil, event.request == request else { return }
    switch event {
    case .monitoring(_, .event(let event, let list)) where isWanted(event): write(event, list)
    case .failed(_, let failure): end(Diagnostics.report(FailureMessage(failure)))
    default: break
    }
  }

  private func write(_ event: MonitoringEvent, _ list: String) {
    let asJSON = limits.json || !Results.areForPeople
    let line = asJSON ? EventJSON.object(event, list: list).line : Array("\(EventDescription.line(event))\n".utf8)
    if let failure = Results.write(line) { return end(failure) }
    count += 1
    if let limit = limits.count, count >= limit { end(.done) }
  }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    self.status = status
    host.stop()
  }
}
