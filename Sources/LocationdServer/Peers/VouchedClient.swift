package import LinuxIO
package import LocationPolicy

/// What the kernel and the machine's accounts say of a client, all of it as of its hello.
package struct VouchedClient: Hashable, Sendable {
  package let process: PeerProcess
  package let identity: ClientIdentity
  package let standing: ClientStanding
  private let logins: String

  /// Whether it is in use now; `PresenceWatch` says so too, and when that changes.
  package var presence: ClientPresence { ClientPresence(process, logins: LoginFolder(logins)) }

  /// Reads some small files, and never waits. Whoever it throws for is nobody, and to be refused.
  package init(
    _ peer: borrowing ConnectedPeer, ownUser: UInt32 = ProcessEnvironment.userID,
    in folders: SystemFolders = SystemFolders()
  ) throws(PeerError) {
    process = try peer.identify(in: folders)
    identity = ClientIdentity(process)
    standing = ClientStanding(process, ownUser: ownUser, accounts: AccountFiles(folders.accounts))
    logins = folders.logins
  }
}
