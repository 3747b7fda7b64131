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

/// One client's connection, as its host counts them; never used for another while the first is there.
package struct ClientKey: Hashable, Comparable, Sendable {
  package let value: Int

  package init(_ value: Int) { self.value = value }

  package static func < (a: ClientKey, b: ClientKey) -> Bool { a.value < b.value }
}

/// What the machine's accounts entitle a client to before anybody was asked.
package enum ClientStanding: Hashable, Sendable {
  /// Root, the service's own user and members of group `location`, unconfined: they have always, and answer for others.
  case inCharge
  /// Unconfined, and may open the receivers itself (group `dialout`): has always, as it could know anyway, but does not answer
  /// for others.
  case entitled
  /// Everybody else: has what was granted.
  case asks
}

extension ClientIdentity.Realm {
  /// Longer names, bytes of UTF-8, are none that can be kept or sent.
  package static let longestName = 200

  /// As a person writes it: nothing, or `flatpak:org.gnome.Maps`, `snap:NAME`, `service:weather.service`, `container:NAME`.
  package var text: String {
    switch self {
    case .own: ""
    case .flatpak(let id): "flatpak:\(id)"
    case .snap(let name): "snap:\(name)"
    case .service(let unit): "service:\(unit)"
    case .container(let name): "container:\(name)"
    }
  }

  /// `nil`: that is no realm.
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
    // One whose name is not known is a container too.
    case "container": self = .container(parts[1])
    default: return nil
    }
  }
}

/// Makes a text that a client supplied fit to be shown to a person, in whose language it is, and to be kept.
enum ShownText {
  /// Longer text is cut, between characters of Unicode.
  static let maximumBytes = 200
  /// Nor is more than so many characters looked at.
  private static let maximumLength = 4096

  /// The text on one line without what steers a terminal, turns the line around or cannot be seen; `nil` where nothing is left.
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

  /// One emoji is made of several by it, and looks like none of them.
  private static func joins(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    let (joiner, variation): (UInt32, UInt32) = (0x200D, 0xFE0F)
    guard scalars[index].value == joiner, index > 0, index + 1 < scalars.count else { return false }
    let before = scalars[index - 1].value == variation && index > 1 ? scalars[index - 2] : scalars[index - 1]
    return isPicture(before) && isPicture(scalars[index + 1])
  }

  /// Digits can be emoji, too.
  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isEmoji && scalar.value > 0xFF }

  /// Controls (C0, DEL, C1), line and paragraph separators, and the marks that set the direction of writing, which make a
  /// line read as another (Unicode Standard Annex 9, section 2; Unicode Technical Report 36, section 2); and what is not drawn at
  /// all, by which one name passes for another, or carries what nobody sees: soft hyphens, blanks without width, fillers,
  /// variation selectors and tags (Default_Ignorable_Code_Point, Unicode Standard Annex 44).
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0xFFF9...0xFFFB: true
    case _: scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
