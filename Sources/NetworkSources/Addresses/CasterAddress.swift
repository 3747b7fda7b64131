/// The address of an NTRIP caster and of one of its mount points.
package struct CasterAddress: Hashable, Sendable {
  /// Whether the connection is encrypted and the caster authenticated.
  package let isEncrypted: Bool
  package let server: HostAndPort
  /// `nil`: the list of mount points.
  package let mount: String?

  /// The longest name of a mount point, bytes. RTCM 10410.1 allows 100.
  package static let longestMount = 100

  /// The schemes of casters.
  static let schemes = ["ntrip", "ntrips", "http", "https"]

  /// Reads `ntrip://`, `ntrips://`, `http://` or `https://HOST:PORT/MOUNT`. The mount point may be missing; the port only if the scheme
  /// has a usual one.
  package init(parsing text: String) throws(NetworkSourceError) {
    try NetworkSource.checkCharacters(text)
    try self.init(SplitAddress(text))
  }

  init(_ address: SplitAddress) throws(NetworkSourceError) {
    let usualPort: UInt16?
    switch address.scheme {
    // The port that IANA has assigned to RTCM's services.
    case "ntrip": (isEncrypted, usualPort) = (false, 2101)
    case "http": (isEncrypted, usualPort) = (false, 80)
    case "https": (isEncrypted, usualPort) = (true, 443)
    // There is no usual port: 443 and 2102 are both frequent.
    case "ntrips": (isEncrypted, usualPort) = (true, nil)
    default: throw .notACaster(String(address.text.prefix(80)))
    }
    _ = try address.options(allowed: [])
    server = try HostAndPort(parsing: address.authority, usualPort: usualPort)
    let name = address.path.dropFirst()
    guard name.utf8.count <= Self.longestMount, name.utf8.allSatisfy({ !Self.foreign.contains($0) }) else {
      throw .badMount(String(name.prefix(Self.longestMount)))
    }
    mount = name.isEmpty ? nil : String(name)
  }

  /// Characters that a request or a line of a source table cannot contain unescaped.
  private static let foreign = Array("/?%;\"<>\\^`{|}".utf8)

  private init(isEncrypted: Bool, server: HostAndPort) {
    (self.isEncrypted, self.server, mount) = (isEncrypted, server, nil)
  }

  /// The list of mount points of the same caster.
  package var withoutMount: CasterAddress { CasterAddress(isEncrypted: isEncrypted, server: server) }

  /// Whether others could read a password on its way to the caster.
  package var exposesCredentials: Bool { !isEncrypted && server.address?.isPrivate != true }

  /// `ntrips://caster.example.org:443/MOUNT`.
  package var text: String { "\(isEncrypted ? "ntrips" : "ntrip")://\(server.text)/\(mount ?? "")" }
}
