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
