package import LinuxIO
package import LocationPolicy

/// A client's identity and privilege, from the kernel and the machine's accounts, as of its hello.
package struct VouchedClient: Hashable, Sendable {
  package let process: PeerProcess
  package let identity: ClientIdentity
  package let standing: ClientStanding
  private let logins: String

  /// Whether the client is in use now; `PresenceWatch` reports it too, with its changes.
  package var presence: ClientPresence { ClientPresence(process, logins: LoginFolder(logins)) }

  /// Reads some small files, and never blocks. If this throws, the client is not authenticated and must be refused.
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
