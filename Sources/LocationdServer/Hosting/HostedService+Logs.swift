import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdHost
import LocationdRecords
import LocationdService

/// The logs of the service: requests to them, and reports from their thread.
extension HostedService {
  func ask(_ request: LogRequest, _ id: RequestID, from client: ClientID, of requester: LogOwner?) {
    var (reason, cause): (String?, StorageCause) = (nil, .other)
    do throws(SystemError) {
      let isTaken = try logs?.ask(request, id, from: client, of: requester)
      if isTaken == nil { reason = "LOCATIOND_STATE and HOME are not set" }
      if isTaken == false {
        (reason, cause) = ("its disk is too slow, and too many requests are waiting for it", .busy)
      }
    } catch {
      reason = error.description
    }
    guard let reason else { return }
    let path = logs?.settings.stateFolder ?? "the state folder"
    runner.answer(client, .failed(id, .log(.cannotKeep(path: path, reason: reason, cause: cause))))
  }

  /// Handles a report from the logs' thread.
  func receive(_ report: LogReport) {
    switch report {
    case .ask(let request, let client, let log):
      if let authority = host.authority {
        authority.request(request, by: client, for: log)
      } else {
        send(request, from: client)
      }
    case .left(let client): if let authority = host.authority { authority.leave(client) } else { leave(client) }
    case .answer(let event, let client): clients.send(event, to: client)
    case .event(let event): host.receive(.log(event))
    case .account(let account):
      logAccount = account ?? []
      answerWaiting()
    case .ended:
      host.authority?.leaveAllLogs()
      answerWaiting()
    }
    host.turnEnded()
  }

  /// How long a status request waits for the logs. If their disk hangs, the last description is used: the status is
  /// most needed when something is wrong.
  private static let patienceForLogs: Duration = .seconds(1)

  func askLogs() {
    guard (try? logs?.post(.describe)) != nil else { return answerWaiting() }
    accountTimer = loop.schedule(at: loop.now + Self.patienceForLogs) { [unowned self] in
      accountTimer = nil
      answerWaiting()
    }
  }

  private func answerWaiting() {
    if let timer = accountTimer.take() { loop.cancel(timer) }
    for (client, request) in waitingForLogs { runner.handle(.request(client, request)) }
    waitingForLogs = []
  }
}
