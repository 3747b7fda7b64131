import LinuxIO
import LocationPolicy

/// The name of a client, for people.
enum ClientName {
  /// The form for the middle of a sentence.
  static func text(of identity: ClientIdentity) -> String {
    let user = userName(of: identity)
    return switch identity.realm {
    case .own: "user \(user)"
    case .flatpak(let id): "the Flatpak app \(TerminalText.sanitized(id)) of user \(user)"
    case .snap(let name): "the snap \(TerminalText.sanitized(name)) of user \(user)"
    case .service(let unit): "the service \(TerminalText.sanitized(unit))"
    case .container(""): "an unnamed container of user \(user)"
    case .container(let name): "the container \(TerminalText.sanitized(name)) of user \(user)"
    case .network(let address): "the address \(TerminalText.sanitized(address))"
    }
  }

  /// The form that `grant` accepts: USER, USER/REALM:NAME, or net:ADDRESS.
  static func selector(of identity: ClientIdentity) -> String { selector(of: identity, user: userName(of: identity)) }

  static func selector(of identity: ClientIdentity, user: String) -> String {
    let realm = identity.realm.text
    if case .network = identity.realm { return TerminalText.sanitized(realm) }
    return user + (realm.isEmpty ? "" : "/\(TerminalText.sanitized(realm))")
  }

  static func userName(of identity: ClientIdentity) -> String {
    AccountFiles(SystemFolders().accounts).name(of: identity.userID).map { TerminalText.sanitized($0) }
      ?? "\(identity.userID)"
  }
}
