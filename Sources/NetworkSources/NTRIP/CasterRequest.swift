/// A request to a caster: for the corrections of a mount point, or for the list of mount points.
package struct CasterRequest: Hashable, Sendable {
  package var address: CasterAddress
  package var credentials: CasterCredentials?
  /// Whether the request is of version 1 (RTCM 10410.0).
  package var isVersion1: Bool
  /// The position, for a caster that needs one before it answers.
  package var position: CasterPosition?
  /// The version of this program, in `User-Agent`.
  package var release: String

  package init(
    _ address: CasterAddress, credentials: CasterCredentials?, isVersion1: Bool, position: CasterPosition? = nil,
    release: String
  ) {
    self.address = address
    self.credentials = credentials
    self.isVersion1 = isVersion1
    self.position = position
    self.release = release
  }

  package var bytes: [UInt8] {
    var lines = ["GET /\(address.mount ?? "") HTTP/1.\(isVersion1 ? 0 : 1)"]
    if !isVersion1 { lines.append("Host: \(address.server.text)") }
    if !isVersion1 { lines.append("Ntrip-Version: Ntrip/2.0") }
    // Casters recognize clients by the word at the beginning (RTCM 10410.0, 2.1).
    lines.append("User-Agent: NTRIP locationd/\(release)")
    if let credentials { lines.append("Authorization: \(credentials.authorization)") }
    if !isVersion1, let position {
      lines.append("Ntrip-GGA: " + String(decoding: position.sentence.dropLast(2), as: UTF8.self))
    }
    if !isVersion1 { lines.append("Connection: close") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
