package import LinuxIO
package import LocationPolicy

/// A client's privilege according to its account.
extension ClientPrivilege {
  /// The group of administrators.
  private static let chargeGroup = "location"
  /// Groups that own receivers: `dialout` in Debian and most other distributions, `uucp` in Arch.
  private static let receiverGroups: Set<String> = ["dialout", "uucp"]

  /// - Parameter ownUser: the user that the service runs as.
  package init(_ process: PeerProcess, ownUser: UInt32, accounts: AccountFiles) {
    guard !ClientIdentity(process).realm.isConfined else {
      self = .asks
      return
    }
    self.init(unconfined: process, ownUser: ownUser, accounts: accounts)
  }

  /// The privilege at this machine's own service.
  package init(_ process: PeerProcess) {
    self.init(process, ownUser: ProcessEnvironment.userID, accounts: AccountFiles(SystemFolders().accounts))
  }

  /// The privilege of an account alone, without a process.
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

  /// The privilege of a process's user, regardless of the process's confinement.
  package init(
    ofUser process: PeerProcess, ownUser: UInt32 = ProcessEnvironment.userID,
    accounts: AccountFiles = AccountFiles(SystemFolders().accounts)
  ) {
    self.init(unconfined: process, ownUser: ownUser, accounts: accounts)
  }

  private init(unconfined process: PeerProcess, ownUser: UInt32, accounts: AccountFiles) {
    let user = process.credentials.userID
    guard user != 0, user != ownUser else {
      self = .administrator
      return
    }
    let groups = accounts.groups(of: process, among: Self.receiverGroups.union([Self.chargeGroup]))
    self = groups.contains(Self.chargeGroup) ? .administrator : groups.isEmpty ? .asks : .entitled
  }
}
