import Fleet
import FleetDestinations
import Geodesy
import LinuxDevices
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdConfiguration
import LocationdHost
import LocationdRecords
import LocationdService

/// The destinations of the service: requests to them, and reports from their thread.
extension HostedService {
  func openFleet(_ stateFolder: String) throws(SystemError) {
    let settings = FleetService.Settings(
      stateFolder: stateFolder, sends: configuration.recordsLogs && !isVirtual, isVirtual: isVirtual,
      hasGrid: (try? GridKey.load(from: stateFolder)) != nil, release: Release.current)
    fleet = try RecordsThread(settings, loop: loop, now: { [loop] in loop.now }) { [weak self] in self?.receive($0) }
    let helper = ProcessEnvironment.value("LOCATIOND_FLEET_HELPER")
    let links = FleetLinks(
      loop: loop, socket: helper ?? FleetLink.systemHelper, program: helper == nil ? .own(FleetLink.argument) : nil)
    links.onMessage = { [weak self] in self?.fleet?.send(.helper($0, $1, inflow: $2)) }
    fleetLinks = links
  }

  func ask(_ request: FleetRequest, _ id: RequestID, from client: ClientID) {
    guard configuration.recordsLogs else { return runner.answer(client, .failed(id, .fleet(.needsDaemon))) }
    guard configuration.settings.hasFleet else {
      return runner.answer(client, .failed(id, .fleet(.off)))
    }
    var reason: String?
    do throws(SystemError) {
      let isTaken = try fleet?.ask(request, id, from: client)
      if isTaken == nil { reason = "LOCATIOND_STATE and HOME are not set" }
      if isTaken == false { reason = "its disk is too slow, and too many requests are waiting for it" }
    } catch {
      reason = error.description
    }
    guard let reason else { return }
    runner.answer(client, .failed(id, .fleet(.cannotKeep(path: fleet?.settings.stateFolder ?? "", reason: reason))))
  }

  /// Handles a report from the destinations' thread.
  func receive(_ report: FleetServiceReport) {
    switch report {
    case .ask(let request, let client, let name):
      if let authority = host.authority {
        authority.request(request, by: client, forDestination: name)
      } else {
        send(request, from: client)
      }
    case .reduces(let client): host.authority?.reduce(forDestination: client)
    case .left(let client): if let authority = host.authority { authority.leave(client) } else { leave(client) }
    case .granted(let isGranted, let name): host.authority?.setGrant(isGranted, ofDestination: name)
    case .open(let link, let connection): fleetLinks?.open(link, connection)
    case .send(let link, let message): fleetLinks?.send(link, message)
    case .close(let link, let isProper): fleetLinks?.close(link, isProper: isProper)
    case .answer(let event, let client): clients.send(event, to: client)
    case .event(let event): host.receive(.fleet(event))
    case .account(let account):
      fleetAccount = account
      followNetwork(!account.isEmpty)
      noteDestinations(!account.isEmpty)
    case .recorded(let number): monitoring?.send(.delivered(event: number, .destinations))
    case .ended:
      // If the thread starts again, it may have missed events.
      noteDestinations(nil)
      fleetLinks?.closeAll()
      followNetwork(false)
      host.authority?.leaveAllDestinations()
    }
    host.turnEnded()
  }

  /// Whether this service may have destinations. The thread of the monitoring, which may start after one was added, assumes that there are
  /// some until it is told; without them, an event is `delivered` at once.
  var maySend: Bool { configuration.settings.hasFleet && configuration.recordsLogs && !isVirtual }

  /// Passes an event of a user's regions to the destinations that name the user, if the user's own grant allows the exact position.
  /// The monitoring stores it until they have it on the disk, or none of them wants it.
  func passToDestinations(_ event: MonitoringEvent, of list: MonitoringList, isRepeated: Bool) {
    guard maySend, let fleet, fleet.hasRecords, host.authority?.visible(event, of: list, isShown: false) == event,
      let shown = FleetEvent(event)
    else {
      monitoring?.send(.delivered(event: event.id, .destinations))
      return
    }
    // While its thread does not run, because it has failed or the service ends, the event waits; the monitoring repeats it.
    fleet.send(
      .happened(FleetHappening(event: shown, number: event.id, isRepeated: isRepeated), ofUser: list.identity.userID))
  }

  /// Whether there are destinations, for the monitoring, which otherwise stores no events for them.
  private func noteDestinations(_ isThere: Bool?) {
    if let isThere, isThere != hasDestinations { monitoring?.send(.destinations(isThere)) }
    hasDestinations = isThere
  }

  /// Reports the return of the network while there are destinations.
  private func followNetwork(_ isWanted: Bool) {
    guard isWanted else { return networkChanges = nil }
    guard networkChanges == nil, configuration.recordsLogs, !isVirtual else { return }
    // Without netlink, a lost connection is tried again after its pause.
    networkChanges = try? NetworkChanges(loop: loop) { [weak self] in self?.fleet?.send(.networkChanged) }
  }
}
