package import LinuxIO
package import LocationPolicy

/// The identity and the privilege of a client at the time of its hello, from the kernel and the machine's accounts.
package struct AuthenticatedPeer: Hashable, Sendable {
  package let process: PeerProcess
  package let identity: ClientIdentity
  package let privilege: ClientPrivilege
  private let logins: String

  /// Whether the client is currently in use; `PresenceWatch` also reports changes of this.
  package var presence: ClientPresence { ClientPresence(process, logins: LoginFolder(logins)) }

  /// Reads some small files, and never blocks. If this throws, the client is not authenticated and must be refused.
  package init(
    _ peer: borrowing ConnectedPeer, ownUser: UInt32 = ProcessEnvironment.userID,
    in folders: SystemFolders = SystemFolders()
  ) throws(PeerError) {
    process = try peer.identify(in: folders)
    identity = ClientIdentity(process)
    privilege = ClientPrivilege(process, ownUser: ownUser, accounts: AccountFiles(folders.accounts))
    logins = folders.logins
  }
}

/// Accounts that do not belong to persons, and whose services are separate clients. Root is excluded: root's services
/// count as root.
enum SystemAccounts {
  /// Below 1000: accounts of a distribution and of packages (Debian Policy §9.2.2; systemd's UIDS-GIDS). From 61184 on:
  /// services with `DynamicUser=`, up to 65519 (UIDS-GIDS), reserved numbers, and `nobody`, 65534. Accounts of persons
  /// are not included: users of a domain, numbered from 65536 or from millions on, and homes of systemd-homed, from
  /// 60001 to 60513.
  static func contain(_ user: UInt32) -> Bool { (1..<1000).contains(user) || (61_184...65_534).contains(user) }
}
