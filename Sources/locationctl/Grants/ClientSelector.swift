package import LinuxIO
package import LocationPolicy
import NetworkSources

/// The argument WHO of `grant` and `revoke`: `USER` or `USER/REALM:NAME`, with the user's name or number, or `net:ADDRESS`.
package struct ClientSelector: Hashable, Sendable {
  package let identity: ClientIdentity

  package enum Problem: Error, Hashable, Sendable {
    case noSuchUser(String)
    case noSuchRealm(String)
    case noSuchAddress(String)
  }

  package init(parsing text: String, in accounts: AccountFiles) throws(Problem) {
    if text.hasPrefix("net:") {
      let address = text.dropFirst("net:".count)
      guard let parsed = IPAddress(parsing: address) else { throw .noSuchAddress(String(address)) }
      identity = ClientIdentity(networkAddress: parsed.text)
      return
    }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let user = parts[0]
    // A name may consist of digits; the name then takes precedence over the number.
    guard let number = accounts.number(ofUser: user) ?? Self.number(user) else { throw .noSuchUser(user) }
    guard parts.count == 2 else {
      identity = ClientIdentity(userID: number)
      return
    }
    guard !parts[1].isEmpty, let realm = ClientIdentity.Realm(parsing: parts[1]) else { throw .noSuchRealm(parts[1]) }
    // No address belongs to a user.
    if case .network = realm { throw .noSuchRealm(parts[1]) }
    identity = ClientIdentity(userID: number, realm: realm)
  }

  /// The user ID that a text of digits gives. It need not be in /etc/passwd, which lacks users of a domain and dynamic
  /// users of services. The largest 32-bit number is not a user ID (chown(2)).
  private static func number(_ text: String) -> UInt32? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt32(text) else {
      return nil
    }
    return number == .max ? nil : number
  }
}
