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
    switch ClientIdentity(process).realm {
    case .flatpak, .snap, .container:
      self = .asks
      return
    case .own, .service: break
    }
    let user = process.credentials.userID
    guard user != 0, user != ownUser else {
      self = .inCharge
      return
    }
    let groups = accounts.groups(of: process, among: Self.receiverGroups.union([Self.chargeGroup]))
    self = groups.contains(Self.chargeGroup) ? .inCharge : groups.isEmpty ? .asks : .entitled
  }
}
