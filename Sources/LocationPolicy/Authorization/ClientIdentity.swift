/// The identity of a client, authenticated by the kernel (Documentation/Behavior.md, "Authorization"): its user, and its
/// confinement. A program's path or name does not authenticate it against other processes of the same user, so all of these are one
/// identity.
package struct ClientIdentity: Hashable, Sendable {
  /// What separates a client from the user's other programs.
  package enum Realm: Hashable, Sendable {
    /// Unconfined: a person's own programs and scripts, including cron jobs.
    case own
    /// The application's ID, such as `org.gnome.Maps`.
    case flatpak(String)
    /// The snap's name.
    case snap(String)
    /// The unit's name, such as `weather.service`, of a system account.
    case service(String)
    /// Separate namespaces; its name if it has one, such as the cgroup's.
    case container(String)
    /// A machine or a group of machines in a network, by its address, such as `192.168.1.20`.
    case network(String)

    /// Whether it is isolated from the rest of the system, so that it cannot answer for others.
    package var isConfined: Bool {
      switch self {
      case .flatpak, .snap, .container, .network: true
      case .own, .service: false
      }
    }

    /// Whether it is a single program, so that a new declaration replaces the previous one.
    package var isOneProgram: Bool {
      switch self {
      case .flatpak, .snap, .service: true
      case .own, .container, .network: false
      }
    }
  }

  package var userID: UInt32
  package var realm: Realm

  package init(userID: UInt32, realm: Realm = .own) {
    self.userID = userID
    self.realm = realm
  }

  /// The identity of a destination to which positions are sent. Administrators grant its access by adding it, and may revoke it.
  package static func destination(_ name: String) -> ClientIdentity {
    ClientIdentity(userID: 0, realm: .service("fleet:\(name)"))
  }

  /// Whether it is the identity of a destination.
  package var isDestination: Bool {
    if case .service(let name) = realm { userID == 0 && name.hasPrefix("fleet:") } else { false }
  }

  /// The identity of a machine in a network. Its user is no user of this machine: the largest number, which chown(2) reserves. So only
  /// administrators decide about it.
  package init(networkAddress: String) { self.init(userID: .max, realm: .network(networkAddress)) }

  /// The identity of the same user's unconfined programs.
  package var owner: ClientIdentity { ClientIdentity(userID: userID) }

  /// Whether it may see the activity of another identity: the same one, or one of the same user if it is itself unconfined.
  package func canSee(_ other: ClientIdentity) -> Bool {
    self == other || realm == .own && userID == other.userID
  }
}

/// Identifies one client of the service; not reused while the client exists. Ordered by kind, then by number.
package enum ClientID: Hashable, Comparable, Sendable {
  /// Monitoring as a whole, which requests positions for all lists together.
  case monitoring
  /// A monitoring list: it makes no requests, and stands for its owner where access is decided. The store numbers the lists.
  case list(Int)
  /// A log that is being recorded: it requests fixes for its owner, in the background.
  case log(Int)
  /// A destination to which positions are sent: it requests fixes in the background.
  case fleet(Int)
  /// A program, numbered by the host of the service.
  case process(Int)
  /// Programs of one user that speak another program's protocol over TCP, numbered by the host of the service.
  case network(Int)
  /// An address to which positions are sent, numbered by the host of the service.
  case target(Int)

  /// Whether it is a program, rather than a part of the service that acts for a user.
  package var isProcess: Bool {
    switch self {
    case .process, .network, .target: true
    case .monitoring, .list, .log, .fleet: false
    }
  }
}

/// The access that the machine's accounts give a client, independent of prompts.
package enum ClientPrivilege: Hashable, Sendable {
  /// Root, the service's own user and members of group `location`, unconfined: they have the level always, and answer for others.
  case administrator
  /// Unconfined, and able to open the receivers directly (group `dialout` or `uucp`): has the level always, because it has access to
  /// positions anyway, but does not answer for others.
  case entitled
  /// All other clients: only what was granted.
  case asks
}

extension ClientIdentity.Realm {
  /// Maximum length of a name, bytes of UTF-8; longer names cannot be stored or sent.
  package static let longestName = 200

  /// The text form: empty, or `flatpak:org.gnome.Maps`, `snap:NAME`, `service:weather.service`, `container:NAME`, `net:ADDRESS`.
  package var text: String {
    switch self {
    case .own: ""
    case .flatpak(let id): "flatpak:\(id)"
    case .snap(let name): "snap:\(name)"
    case .service(let unit): "service:\(unit)"
    case .container(let name): "container:\(name)"
    case .network(let address): "net:\(address)"
    }
  }

  /// `nil`: not a valid text form.
  package init?(parsing text: String) {
    guard !text.isEmpty else {
      self = .own
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts[1].utf8.count <= Self.longestName else { return nil }
    switch parts[0] {
    case "flatpak" where !parts[1].isEmpty: self = .flatpak(parts[1])
    case "snap" where !parts[1].isEmpty: self = .snap(parts[1])
    case "service" where !parts[1].isEmpty: self = .service(parts[1])
    // A container may have no known name.
    case "container": self = .container(parts[1])
    case "net" where !parts[1].isEmpty: self = .network(parts[1])
    default: return nil
    }
  }
}

/// Cleans a text supplied by a client, in any language, for display and storage.
enum SanitizedText {
  /// Longer text is truncated between two Unicode scalars.
  static let maximumBytes = 200
  /// Maximum number of Unicode scalars examined.
  private static let maximumLength = 4096

  /// The text on one line without terminal controls, direction marks and invisible characters; `nil` if nothing is left.
  static func of(_ text: String?) -> String? {
    guard let text else { return nil }
    var shown = ""
    var bytes = 0
    var isBlank = true
    let scalars = Array(text.unicodeScalars.prefix(maximumLength))
    for (index, scalar) in scalars.enumerated() {
      guard !isHidden(scalar) || joins(scalars, at: index) else { continue }
      bytes += UTF8.width(scalar)
      guard bytes <= maximumBytes else { break }
      shown.unicodeScalars.append(scalar)
      isBlank = isBlank && scalar.properties.isWhitespace
    }
    return isBlank ? nil : shown
  }

  /// Whether the scalar is a zero-width joiner between two emoji: it combines them into one that looks different from each.
  private static func joins(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    let (joiner, variation): (UInt32, UInt32) = (0x200D, 0xFE0F)
    guard scalars[index].value == joiner, index > 0, index + 1 < scalars.count else { return false }
    let before = scalars[index - 1].value == variation && index > 1 ? scalars[index - 2] : scalars[index - 1]
    return isPicture(before) && isPicture(scalars[index + 1])
  }

  /// Excludes digits, `#`, `*`, © and ®, which are emoji by property.
  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isEmoji && scalar.value > 0xFF }

  /// Controls (C0, DEL, C1), line and paragraph separators, and the marks that set the writing direction, which can make a line
  /// read as a different one (Unicode Standard Annex 9, section 2; Unicode Technical Report 36, section 2). Also characters that
  /// are not drawn, which can make a name look like another or carry hidden data: soft hyphens, zero-width blanks, fillers,
  /// variation selectors and tags (Default_Ignorable_Code_Point, Unicode Standard Annex 44), and interlinear annotations.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0xFFF9...0xFFFB: true
    case _: scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
