import Geodesy
import LinuxIO
import LocationIPC

/// The logs beside the service: what is asked of them, and what their thread says.
extension HostedService {
  func ask(_ request: LogRequest, _ id: RequestID, from client: ClientID) {
    var (reason, cause): (String?, StorageCause) = (nil, .other)
    do throws(SystemError) {
      let isTaken = try logs?.ask(request, id, from: client)
      if isTaken == nil { reason = "none is named, and there is no HOME" }
      if isTaken == false { (reason, cause) = ("its disk does not keep up: too many requests wait for it", .busy) }
    } catch {
      reason = error.description
    }
    guard let reason else { return }
    let path = logs?.stateFolder ?? "the state folder"
    onEvent?(client, .failed(id, .log(.cannotKeep(path: path, reason: reason, cause: cause))))
    onSettled?()
  }

  /// The thread of the logs has a word.
  func hear(_ report: LogReport) {
    switch report {
    case .ask(let request, let client): runner.feed(.request(client, request))
    case .left(let client): leave(client)
    case .answer(let event, let client): onEvent?(client, event)
    case .news(let news): onLogNews?(news)
    case .account(let account):
      logAccount = account ?? []
      answerWaiting()
    case .ended: answerWaiting()
    }
    onSettled?()
  }

  /// Logs whose disk hangs are told as they were: the account is there for when something is wrong.
  private static let patienceForLogs: Duration = .seconds(1)

  func askLogs() {
    guard (try? logs?.describe()) != nil else { return answerWaiting() }
    accountTimer = loop.schedule(at: loop.now + Self.patienceForLogs) { [unowned self] in
      accountTimer = nil
      answerWaiting()
    }
  }

  private func answerWaiting() {
    if let timer = accountTimer.take() { loop.cancel(timer) }
    for (client, request) in waitingForLogs { runner.feed(.request(client, request)) }
    waitingForLogs = []
  }

  /// The logs' own clients have numbers below 0; the others' are their host's to choose.
  func tell(_ client: ClientID, _ event: ServiceEvent) {
    if client.rawValue < 0 { logs?.hear(event, by: client) } else { onEvent?(client, event) }
  }
}
