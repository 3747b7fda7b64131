import Geodesy

/// One web request, as the service sends it to the process with network access: its limits depend on its purpose, and the
/// fetcher applies them itself.
///
/// ```
/// 0  version: 1
/// 1  purpose
/// 2  length of the address, bytes, 2 bytes
/// 4  length of the body, bytes, 2 bytes
/// 6  address, body
/// ```
/// Integers are little-endian.
package struct FetchRequest: Hashable, Sendable {
  /// The purpose of a request.
  package enum Purpose: UInt8, Hashable, Sendable, CaseIterable {
    /// A request to a provider, JSON by POST.
    case position = 0
    /// A tile, by GET.
    case tile = 1
    /// The size and the time of a file, by HEAD. The answer is the size, and the time of the last change in seconds since 1970, 8 bytes each;
    /// all ones: not known.
    case fileSize = 2
    /// A part of a file, by GET. The body is the range of bytes: "0-1023" (RFC 9110, 14.1.2). The answer is the time, as above, then the
    /// part.
    case filePart = 3
    /// A query to a server of places, by GET. The body is the contact that the user has set, for the user agent.
    case place = 4

    /// The longest part of a file, bytes.
    package static let longestPart = 2 << 20
    /// The longest valid answer, bytes: a provider's answer has some hundred, and tiles have their own limit.
    package var longestAnswer: Int {
      switch self {
      case .position: 64 * 1024
      case .tile: AccessPointTile.maximumSize
      case .fileSize: 16
      case .filePart: Self.longestPart + 8
      // Ten places with the names of all their areas.
      case .place: 256 * 1024
      }
    }

    /// The time limit for the answer: a client waits for a position; a tile of 150 kB takes this long at 20 kbit/s.
    package var patience: Duration {
      switch self {
      case .position, .place: .seconds(15)
      case .tile: .seconds(60)
      case .fileSize: .seconds(30)
      // At 150 kbit/s.
      case .filePart: .seconds(120)
      }
    }

    /// The longest body, bytes: twenty access points take 1,700.
    package var longestBody: Int {
      switch self {
      case .position: 4096
      case .tile, .fileSize: 0
      case .filePart: 48
      case .place: 128
      }
    }
  }

  package let purpose: Purpose
  package let address: WebAddress
  package let body: [UInt8]

  private static let version: UInt8 = 1
  private static let headSize = 6
  /// Size of the longest request, bytes.
  package static let maximumSize = headSize + WebAddress.longestText + 4096

  /// `nil` if the body is longer than the purpose allows.
  package init?(_ purpose: Purpose, _ address: WebAddress, body: [UInt8] = []) {
    guard body.count <= purpose.longestBody else { return nil }
    (self.purpose, self.address, self.body) = (purpose, address, body)
  }

  package var bytes: [UInt8] {
    let text = Array(address.text.utf8)
    return [Self.version, purpose.rawValue] + LittleEndian.bytes(UInt16(text.count))
      + LittleEndian.bytes(UInt16(body.count)) + text + body
  }

  /// The state of a partly received request.
  package enum Reception: Hashable, Sendable {
    case incomplete
    case order(FetchRequest)
    /// The bytes can never become a request.
    case foreign
  }

  package static func read(_ bytes: Span<UInt8>) -> Reception {
    guard bytes.count <= maximumSize else { return .foreign }
    if bytes.count > 0, bytes[0] != version { return .foreign }
    guard bytes.count >= headSize else { return .incomplete }
    guard let purpose = Purpose(rawValue: bytes[1]) else { return .foreign }
    let (text, body) = (
      Int(LittleEndian.number(bytes, at: 2, size: 2)), Int(LittleEndian.number(bytes, at: 4, size: 2))
    )
    guard text <= WebAddress.longestText, body <= purpose.longestBody else { return .foreign }
    guard bytes.count >= headSize + text + body else { return .incomplete }
    guard bytes.count == headSize + text + body,
      let address = WebAddress(LittleEndian.text(bytes, at: headSize, size: text)),
      let order = FetchRequest(purpose, address, body: LittleEndian.bytes(bytes, at: headSize + text, size: body))
    else { return .foreign }
    return .order(order)
  }
}

/// Whether downloaded data is still valid.
enum FetchedAge {
  /// A time farther in the future than this comes from a clock that was wrong.
  private static let ahead: Duration = .seconds(86_400)

  /// Whether data of that time is still valid; it is if either time is unknown.
  ///
  /// - Parameters:
  ///   - time: when it was downloaded; `nil`: the clock was not set.
  ///   - wall: the current time; `nil`: unknown.
  static func holds(_ time: GNSSTime?, for life: Duration, on wall: GNSSTime?) -> Bool {
    guard let wall, let time else { return true }
    return (.zero - ahead...life).contains(wall - time)
  }
}

/// A web address to request: http or https only.
package struct WebAddress: Hashable, Sendable {
  /// The longest valid address, bytes.
  package static let longestText = 1024

  /// The address as given.
  package let text: String

  /// Whether the transfer is encrypted and the server authenticated.
  package var isSecret: Bool { text.utf8.prefix(8).elementsEqual("https://".utf8) }

  /// `nil` for a text with another scheme, without a host name, of more than `longestText` bytes, or with characters
  /// that no address has: blanks, non-ASCII, a fragment.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    // Visible ASCII (RFC 3986, 2), without the characters that only some programs accept unescaped.
    guard bytes.count <= Self.longestText,
      bytes.allSatisfy({ (0x21...0x7E).contains($0) && !Self.foreign.contains($0) })
    else { return nil }
    guard let scheme = ["https://", "http://"].first(where: { bytes.starts(with: $0.utf8) }) else { return nil }
    let rest = bytes.dropFirst(scheme.utf8.count)
    let machine = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    guard let first = machine.first, first != UInt8(ascii: ":"), first != UInt8(ascii: "@") else { return nil }
    self.text = text
  }

  private static let foreign = Array("\"<>\\^`{|}#".utf8)

  /// The address of a path below this address, whether or not this one ends in a slash; `nil` if it is invalid.
  package func appending(_ path: String) -> WebAddress? {
    WebAddress(text + (text.utf8.last == UInt8(ascii: "/") ? "" : "/") + path)
  }

  /// The host name for display: never a key in a query, nor a name and password.
  package var host: String {
    let rest = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
    return String(rest.split(separator: "@").last ?? rest)
  }
}
