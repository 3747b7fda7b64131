import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdHost
import LocationdRecords
import LocationdService

/// What the logs want of whoever says who may know.
enum RecordingNews {
  /// A log wants to hear fixes, as this client.
  case wanted(ClientRequest, by: ClientID, for: KeptLog)
  /// The client has gone.
  case left(ClientID)
}

/// The logs beside the service: what is asked of them, and what their thread says.
extension HostedService {
  func ask(_ request: LogRequest, _ id: RequestID, from client: ClientID, of asker: LogOwner?) {
    var (reason, cause): (String?, StorageCause) = (nil, .other)
    do throws(SystemError) {
      let isTaken = try logs?.ask(request, id, from: client, of: asker)
      if isTaken == nil { reason = "LOCATIOND_STATE and HOME are not set" }
      if isTaken == false {
        (reason, cause) = ("its disk is too slow, and too many requests are waiting for it", .busy)
      }
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
    case .ask(let request, let client, let log):
      if let onRecording { onRecording(.wanted(request, by: client, for: log)) } else { send(request, from: client) }
    case .left(let client):
      if let onRecording { onRecording(.left(client)) } else { leave(client) }
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
    if client.rawValue < 0, onRecording == nil { hear(event, for: client) } else { onEvent?(client, event) }
  }

  /// Hands an event on to the log whose client it is for.
  func hear(_ event: ServiceEvent, for client: ClientID) { logs?.hear(event, by: client) }
}
