import Geodesy

/// A source of positions or corrections in a network, in the syntax of `--source` and of the setting `source`.
package enum NetworkSource: Hashable, Sendable {
  /// A server that sends the bytes of a receiver: `tcp://HOST:PORT[?write=yes]`.
  case stream(StreamSource)
  /// This machine listens, and programs send: `tcp-listen://ADDR:PORT?from=CIDR`, `udp://ADDR:PORT?from=CIDR`.
  case listener(ListeningSource)
  /// The receivers of a gpsd: `gpsd:HOST[:PORT]`.
  case gpsd(HostAndPort)
  /// Corrections from a caster: `ntrip://`, `ntrips://`, `http://` or `https://HOST:PORT/MOUNT`.
  case caster(CasterAddress)
  /// Corrections from a file, for tests: `rtcm:FILE`.
  case corrections(path: String)

  /// The text before the first colon of each form.
  package static let schemes = ["tcp", "tcp-listen", "udp", "gpsd", "ntrip", "ntrips", "http", "https", "rtcm"]
  /// The forms, for messages.
  package static let syntax =
    "tcp://HOST:PORT, tcp-listen://ADDRESS:PORT?from=RANGE, udp://ADDRESS:PORT?from=RANGE, gpsd:HOST[:PORT], "
    + "ntrip://HOST:PORT/MOUNT, ntrips://HOST:PORT/MOUNT or rtcm:FILE"
  /// Maximum length of an address, bytes.
  package static let longestText = 1024
  /// The port that IANA has assigned to gpsd.
  package static let gpsdPort: UInt16 = 2947

  package init(parsing text: String) throws(NetworkSourceError) {
    if text.hasPrefix("rtcm:") {
      let path = text.dropFirst("rtcm:".count)
      // Within PATH_MAX.
      guard !path.isEmpty, path.utf8.count < 4096, !path.utf8.contains(0) else { throw .missingPath }
      self = .corrections(path: String(path))
      return
    }
    try Self.checkCharacters(text)
    let scheme = text.prefix { $0 != ":" }
    guard Self.schemes.contains(where: { $0 == scheme }) else {
      throw .unknownScheme(String(Self.withoutCredentials(text).prefix(80)))
    }
    if scheme == "gpsd" {
      let rest = text.dropFirst("gpsd:".count)
      guard !rest.contains("@") else { throw .needlessCredentials }
      self = .gpsd(try HostAndPort(parsing: rest, usualPort: Self.gpsdPort))
      return
    }
    let address = try SplitAddress(text)
    switch scheme {
    case "tcp": self = .stream(try StreamSource(address))
    case "tcp-listen": self = .listener(try ListeningSource(address, isDatagram: false))
    case "udp": self = .listener(try ListeningSource(address, isDatagram: true))
    default:
      let caster = try CasterAddress(address)
      guard caster.mount != nil else { throw .missingMount }
      self = .caster(caster)
    }
  }

  /// The address in its canonical form, without options; it contains no credentials.
  package var text: String {
    switch self {
    case .stream(let source): "tcp://\(source.server.text)"
    case .listener(let source): "\(source.isDatagram ? "udp" : "tcp-listen")://\(source.local.text)"
    case .gpsd(let server): "gpsd:\(server.text)"
    case .caster(let caster): caster.text
    case .corrections(let path): "rtcm:\(path)"
    }
  }

  /// The words of a list of addresses, separated by commas or blanks.
  package static func words(of list: String) -> [Substring] { list.split { $0 == " " || $0 == "," || $0 == "\t" } }

  static func checkCharacters(_ text: String) throws(NetworkSourceError) {
    guard text.utf8.count <= longestText else { throw .tooLong }
    // Visible ASCII without `#`, which begins a fragment (RFC 3986, 2 and 3.5).
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else { throw .badCharacter }
  }

  /// Text that is not valid, for a message: everything between the scheme and the last `@` may be a user name and a password, and is
  /// left out.
  package static func withoutCredentials(_ text: String) -> String {
    guard let sign = text.lastIndex(of: "@") else { return text }
    let scheme = text.firstPlace(of: "://").flatMap { $0.upperBound <= sign ? text[..<$0.upperBound] : nil } ?? ""
    return "\(scheme)...\(text[sign...])"
  }
}

/// A server that sends the bytes of a receiver.
package struct StreamSource: Hashable, Sendable {
  package let server: HostAndPort
  /// Whether the receiver behind it may be configured.
  package let isWritable: Bool

  init(_ address: SplitAddress) throws(NetworkSourceError) {
    try address.checkNoPath()
    let options = try address.options(allowed: ["write"])
    server = try HostAndPort(parsing: address.authority, usualPort: nil)
    isWritable = try options.isYes("write")
  }
}

/// An address of this machine to which programs send the output of receivers.
package struct ListeningSource: Hashable, Sendable {
  package let local: HostAndPort
  package let isDatagram: Bool
  package let allowed: AllowList

  init(_ address: SplitAddress, isDatagram: Bool) throws(NetworkSourceError) {
    try address.checkNoPath()
    let options = try address.options(allowed: ["from"])
    local = try HostAndPort(parsing: address.authority, usualPort: nil)
    guard let own = local.address else { throw .notNumeric(local.host) }
    var ranges: [AddressRange] = []
    if let from = options["from"] {
      for text in from.split(separator: ",", omittingEmptySubsequences: false) {
        guard ranges.count < AllowList.mostRanges else { throw .tooManyRanges }
        guard let range = AddressRange(parsing: text) else { throw .badRange(String(text)) }
        ranges.append(range)
      }
    }
    guard !ranges.isEmpty || own.isLoopback else { throw .missingRange }
    self.isDatagram = isDatagram
    allowed = AllowList(ranges)
  }
}
