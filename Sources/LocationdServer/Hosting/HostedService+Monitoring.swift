import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdHost
import LocationdRecords
import LocationdService

/// Monitoring by the service for programs that start and exit.
extension HostedService {
  func ask(
    _ request: MonitoringRequest, _ id: RequestID, from client: ClientID, of requester: ClientIdentity?,
    _ allowance: MonitoringAllowance
  ) {
    var (reason, cause): (String?, StorageCause) = (nil, .other)
    let identity = requester ?? ClientIdentity(userID: ProcessEnvironment.userID)
    do throws(SystemError) {
      let isTaken = try monitoring?.ask(request, id, from: client, of: identity, allowance)
      if isTaken == nil { reason = "LOCATIOND_STATE and HOME are not set" }
      if isTaken == false {
        (reason, cause) = ("its disk is too slow, and too many requests are waiting for it", .busy)
      }
    } catch {
      reason = error.description
    }
    guard let reason else { return }
    let path = monitoring?.settings.folder ?? "the state folder"
    runner.answer(client, .failed(id, .monitoring(.cannotKeep(path: path, reason: reason, cause))))
  }

  /// Handles a report from the monitoring thread.
  func receive(_ report: MonitoringReport) {
    switch report {
    case .answer(let event, let client): clients.send(event, to: client)
    case .wanted(let id, let list, let uses, let receivers):
      if let authority = host.authority {
        authority.monitor(uses, of: id, list, receivers: receivers)
      } else {
        // A process that monitors for itself needs no authorization.
        monitoring?.send(.allowed(id, .all))
      }
    case .checkPosition(let sufficient): requestPositionCheck(sufficient)
    case .listen(let isWanted): listenForMonitoring(isWanted)
    case .launch(let launching): host.launches?.launch(launching)
    case .happened(let event, let list, let isRepeated):
      passToDestinations(event, of: list, isRepeated: isRepeated)
    case .noted(let userID): host.launches?.noted(userID)
    case .counted(let event, let delivery, let attempt):
      host.launches?.counted(event, delivery, attempt: .some(attempt))
    case .notCounted(let event, let delivery): host.launches?.counted(event, delivery, attempt: nil)
    case .event(let event): host.receive(.monitoring(event))
    case .reached(let bound): host.receive(.reached(bound))
    case .ended: requestPositionCheck(nil)
    }
    host.turnEnded()
  }

  private func requestPositionCheck(_ sufficient: Meters?) {
    let before = positionCheck
    positionCheck = nil
    if let sufficient {
      // The new request is made before the old one is canceled, so that no receiver is closed and opened again in
      // between.
      let request = before == RequestID(1) ? RequestID(2) : RequestID(1)
      positionCheck = request
      var options = UpdateOptions(waitsForSource: true, whenNotDetermined: .waits, sufficientRadius68: sufficient)
      options.isUnhurried = true
      runner.handle(.presence(.monitoring, isInBackground: true))
      runner.handle(.request(.monitoring, .startUpdates(request, options)))
    }
    if let before { runner.handle(.request(.monitoring, .cancel(before))) }
  }

  /// Sets the authorized uses of a list.
  func allow(_ uses: MonitoringUses, of list: MonitoringListID) { monitoring?.send(.allowed(list, uses)) }
}
