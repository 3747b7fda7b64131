import LinuxIO
import LocationIPC
import LocationPolicy

/// The right to act on behalf of other programs, which the bridge of GeoClue's names has, and nobody else (Documentation/Security.md): its
/// account, in its unit. The service classifies the programs that it names as any other client.
enum GeoClueRight {
  /// The account of the bridge, which belongs to it alone.
  static let user = "locationd-geoclue"
  static let unit = "location-geoclue.service"
  /// systemd creates this folder on a machine that it manages (sd_booted(3)).
  private static let bootedFolder = "/run/systemd/system"

  /// Whether it is the bridge's account. Only for accounts of packages the accounts are read.
  static func isHeld(byUser userID: UInt32, in folders: SystemFolders = SystemFolders()) -> Bool {
    SystemAccounts.contain(userID) && AccountFiles(folders.accounts).number(ofUser: user) == userID
  }

  /// The process on whose behalf a peer may act; `nil`: it may not, or that process has ended or is of another user.
  static func peer(of caller: BridgedCaller, for peer: consuming ConnectedPeer?) -> ConnectedPeer? {
    guard let peer, isHeld(byUser: peer.credentials.userID), isInUnit(peer) else { return nil }
    let group = AccountFiles(SystemFolders().accounts).primaryGroup(of: caller.userID) ?? .max
    let credentials = PeerCredentials(processID: caller.processID, userID: caller.userID, groupID: group)
    return try? ConnectedPeer(named: credentials, startTicks: caller.startTicks)
  }

  /// The privilege of a caller: it gets what its account has, and answers for nobody, so that the bridge cannot decide in its name.
  static func privilege(_ privilege: ClientPrivilege) -> ClientPrivilege {
    privilege == .administrator ? .entitled : privilege
  }

  /// Whether the bridge may make a request on behalf of a caller: positions, and access to them.
  static func covers(_ request: ClientRequest) -> Bool {
    switch request {
    case .locate, .startUpdates, .cancel, .authorization(_, .watch), .authorization(_, .ask): true
    case .watchSky, .listenIn, .listDevices, .trustDevice, .forgetDevice, .setOwner, .status, .log, .authorization,
      .wifi, .monitoring, .time, .fleet, .places, .deferUpdates:
      false
    }
  }

  /// Without systemd there are no units, and the account has to do.
  private static func isInUnit(_ peer: borrowing ConnectedPeer) -> Bool {
    guard FileStatus.exists(bootedFolder) else { return true }
    guard let process = try? peer.identify(), case .service(unit) = process.controlGroup.owner else { return false }
    return true
  }
}
