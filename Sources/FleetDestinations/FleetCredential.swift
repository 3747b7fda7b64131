/// Where a secret or a certificate of a destination is. Its content is read when a connection is made, never stored, and never printed.
package enum FleetCredential: Hashable, Sendable {
  /// A file, by its absolute path; one with a secret must be readable by its owner only (0600).
  case file(String)
  /// A credential that systemd passes to the service, by its name (systemd.exec(5), `LoadCredential=`).
  case systemd(String)

  /// The longest content that is read, bytes.
  package static let longestContent = 64 * 1024
  /// The longest path or name, bytes.
  package static let longestName = 1024

  /// Reads `/PATH` or `credential:NAME`.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longestName, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { return nil }
    if text.hasPrefix("/") {
      self = .file(text)
      return
    }
    let mark = "credential:"
    let name = text.dropFirst(mark.count)
    guard text.hasPrefix(mark), !name.isEmpty, !name.contains("/"), name != ".", name != ".." else { return nil }
    self = .systemd(String(name))
  }

  package var text: String {
    switch self {
    case .file(let path): path
    case .systemd(let name): "credential:" + name
    }
  }
}

/// The secrets and certificates of a destination, by their place.
package struct FleetCredentials: Hashable, Sendable {
  /// The certificates of authorities that are trusted instead of the system's, PEM.
  package var authorities: FleetCredential?
  /// The client's certificate and its key, PEM.
  package var certificate: FleetCredential?
  package var key: FleetCredential?
  /// The password for `FleetSettings.account`, or, without an account, an HTTP bearer token.
  package var password: FleetCredential?
  /// OwnTracks' secret for end-to-end encryption, at least 16 characters.
  package var encryptionSecret: FleetCredential?

  package init() {}
}
