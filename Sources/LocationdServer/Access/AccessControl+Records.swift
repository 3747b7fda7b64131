import Geodesy
import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationStore
package import LocationdRecords
import LocationdService
import Regions

/// Logs and monitoring lists as clients: each acts for its owner, and has the owner's access.
extension AccessControl: RecordsAuthority {
  /// A log is also a client: it acts for its owner, in the background.
  package func request(_ request: ClientRequest, by id: ClientID, for log: IndexedLog) {
    if gate.gatedClient(id) == nil {
      service.note(id, isInBackground: true)
      handle(.arrived(id, recorder(of: log)))
    }
    handle(.request(id, request))
  }

  package func request(_ request: ClientRequest, by id: ClientID, forDestination name: String) {
    if gate.gatedClient(id) == nil {
      service.note(id, isInBackground: true)
      handle(
        .arrived(
          id, AuthorizationClient(.destination(name), privilege: .asks, presence: .background, name: "fleet \(name)")))
    }
    handle(.request(id, request))
  }

  package func reduce(forDestination id: ClientID) { reducing.insert(id) }

  package func setGrant(_ isGranted: Bool, ofDestination name: String) {
    handle(.destination(.destination(name), isGranted: isGranted))
  }

  package func leaveAllDestinations() {
    for id in gate.destinations { leave(id) }
    reducing = []
  }

  package func leaveAllLogs() {
    for id in gate.logs { leave(id) }
  }

  /// A monitoring list is also a client: it acts for its owner. It counts as in use while any program that waits for
  /// its events is in use.
  package func monitor(
    _ uses: MonitoringUses, of list: MonitoringListID, _ name: MonitoringList, receivers: [ClientID]
  ) {
    let id = ClientID.list(Int(list.rawValue))
    monitored[id] = uses.isEmpty ? nil : (list, name, Set(receivers))
    guard !uses.isEmpty else { return leave(id) }
    if gate.gatedClient(id) == nil { handle(.arrived(id, monitor(of: name))) }
    handle(.presence(id, presence(of: receivers)))
    handle(.monitors(id, uses))
    notifyAllowedClients(id)
  }

  func presence(of receivers: some Sequence<ClientID>) -> ClientPresence {
    receivers.contains { gate.gatedClient($0)?.state.presence == .inUse } ? .inUse : .background
  }

  /// Informs the service of the authorized uses of a list after a change.
  func notifyAllowedClients(_ id: ClientID) {
    guard let list = monitored[id]?.id else { return }
    service.allow(gate.monitored(by: id), of: list)
  }

  private func monitor(of list: MonitoringList) -> AuthorizationClient {
    AuthorizationClient(
      list.identity, privilege: ClientPrivilege(ofAccount: list.identity), presence: .background, name: list.name)
  }

  private func recorder(of log: IndexedLog) -> AuthorizationClient {
    let owner = log.configuration.owner ?? LogOwner(ClientIdentity(userID: ProcessEnvironment.userID))
    var privilege = ClientPrivilege(ofAccount: owner.identity)
    if privilege == .asks, owner.isEntitled, !owner.identity.realm.isConfined { privilege = .entitled }
    return AuthorizationClient(owner.identity, privilege: privilege, presence: .background, name: "log \(log.name)")
  }
}

extension AccessControl: MonitoringLaunchesHost {
  package func visible(_ event: MonitoringEvent, of list: MonitoringList, isShown: Bool) -> MonitoringEvent? {
    let uses = event.subject.use.union(isShown && event.subject.use == .regions ? .notifications : [])
    // An unknown state without a fix discloses no position; therefore the user receives it whatever the authorization
    // is.
    if event.kind == .determined(.unknown), event.fix == nil { return event }
    let isAllowed = monitored.contains { $1.list == list && !gate.monitored(by: $0).isDisjoint(with: uses) }
    return isAllowed ? gate.reduced(event, for: list.identity) : nil
  }

  package func receive(_ event: LaunchEvent) { journal.write(.launch(event)) }
}
