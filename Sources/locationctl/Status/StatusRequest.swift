import Geodesy
import LocationIPC
import LocationPolicy
import TrackFormats

/// Requests the status, and then the data that it does not contain: the last known position, with the accuracy to which
/// the client has access, and the lengths of logs that the service has not read yet. These requests start no receiver
/// and cause no authorization prompt; if they fail or take long, the status is shown without this data.
final class StatusRequest: CommandHandler {
  enum Reply {
    case status(ServiceStatus)
    case position(LocatedFix)
    case logs([LogDescription])
  }

  private static let statusRequest = RequestID(1)
  private static let positionRequest = RequestID(2)
  private static let logsRequest = RequestID(3)
  private static let timeout: Duration = .seconds(30)
  private static let timeoutOfAdditions: Duration = .seconds(5)

  let session: CommandSession
  private let show: (ServiceStatus, LocatedFix?) -> CommandStatus
  private var status: ServiceStatus?
  private var located: LocatedFix?
  /// The requests that have not been answered yet.
  private var open: Set<RequestID> = []

  init(_ session: CommandSession, _ show: @escaping (ServiceStatus, LocatedFix?) -> CommandStatus) {
    (self.session, self.show) = (session, show)
  }

  func start() {
    session.setTimer(after: Self.timeout) { [unowned self] in
      if status == nil { session.fail(.noReply(remedy: "try again")) }
    }
    let request = ServiceRequest<ServiceStatus>.status
    session.send(request.message(Self.statusRequest), for: self) { request.event($0)?.map { .status($0) } }
  }

  func receive(_ reply: Reply, to request: RequestID) {
    switch reply {
    case .status(let status):
      self.status = status
      add(to: status)
    case .position(let located): self.located = located
    case .logs(let logs): setLengths(from: logs)
    }
    open.remove(request)
    if open.isEmpty { end() }
  }

  private func add(to status: ServiceStatus) {
    session.setTimer(after: Self.timeoutOfAdditions) { [unowned self] in end() }
    // A service hosted in this process has no last known position.
    if status.version != nil {
      var options = OneShotOptions.lastKnown
      options.whenNotDetermined = .fails
      let request = ServiceRequest<LocateReply>.locate(options)
      open.insert(Self.positionRequest)
      session.send(request.message(Self.positionRequest), for: self) { event in
        request.event(event)?.map { .position(LocatedFix($0.fix, age: $0.age, isCached: $0.isCached)) }
      }
    }
    if status.logs.contains(where: { $0.distance == nil && $0.publicKey == nil }) {
      let request = ServiceRequest<[LogDescription]>.logs
      open.insert(Self.logsRequest)
      session.send(request.message(Self.logsRequest), for: self) { request.event($0)?.map { .logs($0) } }
    }
  }

  private func setLengths(from logs: [LogDescription]) {
    guard var status else { return }
    for (index, log) in status.logs.enumerated() where log.distance == nil {
      guard let same = logs.first(where: { $0.name == log.name && $0.owner == log.owner }) else { continue }
      (status.logs[index].points, status.logs[index].distance) = (same.points, same.distance)
    }
    self.status = status
  }

  func receive(_ failure: LocationFailure, of request: RequestID) { fail(FailureMessage(failure), of: request) }
  func receive(_ progress: LocationProgress, of request: RequestID) {}
  func receiveMismatch(to request: RequestID) { fail(.replyMismatch, of: request) }

  private func fail(_ message: FailureMessage, of request: RequestID) {
    guard request != Self.statusRequest else { return session.fail(message) }
    open.remove(request)
    if open.isEmpty { end() }
  }

  private func end() {
    if let status { session.finish(show(status, located)) }
  }
}
