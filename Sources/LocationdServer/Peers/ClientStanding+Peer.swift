package import LinuxIO
package import LocationPolicy

/// What a client has by its account.
extension ClientStanding {
  /// The group of those in charge.
  private static let chargeGroup = "location"
  /// Those that own receivers: Debian's and most others', and Arch's.
  private static let receiverGroups: Set<String> = ["dialout", "uucp"]

  /// - Parameter ownUser: the user that the service runs as.
  package init(_ process: PeerProcess, ownUser: UInt32, accounts: AccountFiles) {
    guard !ClientIdentity(process).realm.isConfined else {
      self = .asks
      return
    }
    self.init(unconfined: process, ownUser: ownUser, accounts: accounts)
  }

  /// What a client has by its account alone, without a process of it.
  package init(
    ofAccount identity: ClientIdentity, ownUser: UInt32 = ProcessEnvironment.userID,
    accounts: AccountFiles = AccountFiles(SystemFolders().accounts)
  ) {
    guard !identity.realm.isConfined else {
      self = .asks
      return
    }
    let group = accounts.primaryGroup(of: identity.userID) ?? .max
    let process = PeerProcess(PeerCredentials(processID: 0, userID: identity.userID, groupID: group))
    self.init(unconfined: process, ownUser: ownUser, accounts: accounts)
  }

  /// What the user of a process has, whatever the process is confined to.
  package init(
    ofUser process: PeerProcess, ownUser: UInt32 = ProcessEnvironment.userID,
    accounts: AccountFiles = AccountFiles(SystemFolders().accounts)
  ) {
    self.init(unconfined: process, ownUser: ownUser, accounts: accounts)
  }

  private init(unconfined process: PeerProcess, ownUser: UInt32, accounts: AccountFiles) {
    let user = process.credentials.userID
    guard user != 0, user != ownUser else {
      self = .inCharge
      return
    }
    let groups = accounts.groups(of: process, among: Self.receiverGroups.union([Self.chargeGroup]))
    self = groups.contains(Self.chargeGroup) ? .inCharge : groups.isEmpty ? .asks : .entitled
  }
}
