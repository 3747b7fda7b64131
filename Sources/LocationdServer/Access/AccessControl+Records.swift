import Geodesy
import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationStore
package import LocationdRecords
import LocationdService
import Regions

/// Logs and monitoring lists as clients: each acts for its owner, whose access it has.
extension AccessControl: RecordsAuthority {
  /// A log is also a client: it acts for its owner, in the background.
  package func request(_ request: ClientRequest, by id: ClientID, for log: KeptLog) {
    if gate.visitor(id) == nil {
      service.note(id, isInBackground: true)
      feed(.arrived(id, recorder(of: log)))
    }
    feed(.request(id, request))
  }

  package func leaveAllLogs() {
    for id in gate.logs { leave(id) }
  }

  /// A monitoring list is also a client: it acts for its owner, and is in use while a program that waits for its events is.
  package func monitor(
    _ uses: MonitoringUses, of list: MonitoringListID, _ name: MonitoringList, receivers: [ClientID]
  ) {
    let id = ClientID.list(Int(list.rawValue))
    monitored[id] = uses.isEmpty ? nil : (list, name, Set(receivers))
    guard !uses.isEmpty else { return leave(id) }
    if gate.visitor(id) == nil { feed(.arrived(id, monitor(of: name))) }
    feed(.presence(id, presence(of: receivers)))
    feed(.monitors(id, uses))
    tellAllowed(id)
  }

  func presence(of receivers: some Sequence<ClientID>) -> ClientPresence {
    receivers.contains { gate.visitor($0)?.state.presence == .inUse } ? .inUse : .background
  }

  /// Informs the service which uses of a list are authorized, after a change.
  func tellAllowed(_ id: ClientID) {
    guard let list = monitored[id]?.id else { return }
    service.allow(gate.monitored(by: id), of: list)
  }

  private func monitor(of list: MonitoringList) -> AuthorizationClient {
    AuthorizationClient(
      list.identity, standing: ClientStanding(ofAccount: list.identity), presence: .background, name: list.name)
  }

  private func recorder(of log: KeptLog) -> AuthorizationClient {
    let owner = log.configuration.owner ?? LogOwner(ClientIdentity(userID: ProcessEnvironment.userID))
    var standing = ClientStanding(ofAccount: owner.identity)
    if standing == .asks, owner.isEntitled, !owner.identity.realm.isConfined { standing = .entitled }
    return AuthorizationClient(owner.identity, standing: standing, presence: .background, name: "log \(log.name)")
  }
}

extension AccessControl: MonitoringLaunchesHost {
  package func visible(_ event: MonitoringEvent, of list: MonitoringList, isShown: Bool) -> MonitoringEvent? {
    let uses = event.subject.use.union(isShown && event.subject.use == .regions ? .notices : [])
    // An undetermined state without a fix discloses no position, so its user receives it whatever the authorization is.
    if event.happening == .determined(.unknown), event.fix == nil { return event }
    let isAllowed = monitored.contains { $1.list == list && !gate.monitored(by: $0).isDisjoint(with: uses) }
    return isAllowed ? gate.reduced(event, for: list.identity) : nil
  }

  package func receive(_ event: LaunchNews) { journal.write(.launch(event)) }
}
