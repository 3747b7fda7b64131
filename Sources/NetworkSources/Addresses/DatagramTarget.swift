/// An address to which NMEA 0183 is sent in datagrams: `udp://ADDRESS:PORT[?broadcast=yes]`.
///
/// It is numeric: the machine there gets the position of this machine as long as the setting lasts, and a name can come to mean another
/// machine.
package struct DatagramTarget: Hashable, Sendable {
  package let server: HostAndPort
  package let address: IPAddress
  /// Whether it may be the address of all machines of a network, or of a multicast group.
  package let mayBroadcast: Bool

  /// The most targets of one list.
  package static let most = 8

  package init(parsing text: some StringProtocol) throws(NetworkSourceError) {
    let text = String(text)
    try NetworkSource.checkCharacters(text)
    guard text.hasPrefix("udp://") else {
      throw .notATarget(String(NetworkSource.withoutCredentials(text).prefix(80)))
    }
    let parts = try SplitAddress(text)
    try parts.checkNoPath()
    let options = try parts.options(allowed: ["broadcast"])
    server = try HostAndPort(parsing: parts.authority, usualPort: nil)
    mayBroadcast = try options.isYes("broadcast")
    guard let address = IPAddress(parsing: server.host) else { throw .nameOfTarget(server.host) }
    guard mayBroadcast || !address.isGroup else { throw .groupOfTarget(server.host) }
    self.address = address
  }

  /// Reads targets, separated by commas or blanks.
  package static func list(parsing text: String) throws(NetworkSourceError) -> [DatagramTarget] {
    var list: [DatagramTarget] = []
    for word in NetworkSource.words(of: text) {
      let target = try DatagramTarget(parsing: word)
      if !list.contains(target) { list.append(target) }
    }
    guard !list.isEmpty else { throw .notATarget("") }
    guard list.count <= most else { throw .tooManyTargets }
    return list
  }

  /// As `init(parsing:)` reads it.
  package var text: String { "udp://\(server.text)\(mayBroadcast ? "?broadcast=yes" : "")" }
}
