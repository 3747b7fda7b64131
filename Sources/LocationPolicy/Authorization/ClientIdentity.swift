/// Whose a client is, as the kernel vouches for it (Documentation/Behavior.md, "Authorization"): its user, and what it is confined
/// to. A program's path or name vouches for nothing between processes of one user, so that all of them are one client.
package struct ClientIdentity: Hashable, Sendable {
  /// What keeps a client apart from the rest of its user's.
  package enum Realm: Hashable, Sendable {
    /// Nothing: a person's own programs and scripts, also those that cron runs.
    case own
    /// The application's ID, as `org.gnome.Maps`.
    case flatpak(String)
    /// The snap's name.
    case snap(String)
    /// The unit's name, as `weather.service`, of a system account.
    case service(String)
    /// Namespaces of its own; its name where there is one, as the cgroup's.
    case container(String)

    /// Whether the rest of the system is kept from it, so that it speaks for nobody.
    package var isConfined: Bool {
      switch self {
      case .flatpak, .snap, .container: true
      case .own, .service: false
      }
    }

    /// Whether all that runs there is one program, so that what it declares replaces what it declared before.
    package var isOneProgram: Bool {
      switch self {
      case .flatpak, .snap, .service: true
      case .own, .container: false
      }
    }
  }

  package var userID: UInt32
  package var realm: Realm

  package init(userID: UInt32, realm: Realm = .own) {
    self.userID = userID
    self.realm = realm
  }

  /// What the same user runs unconfined.
  package var owner: ClientIdentity { ClientIdentity(userID: userID) }

  /// Whether what another does is its to know: it is the same one, or a person's unconfined program looks at what that person runs.
  package func sees(_ other: ClientIdentity) -> Bool {
    self == other || realm == .own && userID == other.userID
  }
}
