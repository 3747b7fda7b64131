import LocationIPC
import LocationPolicy
import LocationdService

/// Clients that are other machines: those that connect, and those to which the settings send positions.
extension AccessControl {
  /// Handles new clients of another machine, which is in the background as a service is: no user of this machine sees its programs.
  func arrive(_ id: ClientID, machine identity: ClientIdentity, name: String, purpose: String) {
    service.note(id, isInBackground: true)
    var usage = DeclaredUsage()
    (usage.whenInUse, usage.always) = (purpose, purpose)
    handle(
      .arrived(
        id, AuthorizationClient(identity, presence: .background, canReturn: false, usage: usage, name: name)))
  }

  /// The rank of other machines for the limits, of which one user ID stands for all.
  func member(machine identity: ClientIdentity) -> ClientBounds.Member {
    ClientBounds.Member(gate.hasGrant(identity.userID) ? .granted : .untrusted, userID: identity.userID)
  }

  /// The identities to which the settings send positions.
  func configure(_ identities: [ClientIdentity]) { handle(.configured(identities)) }

  /// Handles an address to which the settings send positions, as a client in the background.
  func arrive(_ id: ClientID, at identity: ClientIdentity, name: String) {
    service.note(id, isInBackground: true)
    handle(.arrived(id, AuthorizationClient(identity, presence: .background, canReturn: false, name: name)))
  }
}
