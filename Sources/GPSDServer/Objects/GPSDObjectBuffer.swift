import Geodesy
import TrackFormats

/// Objects of gpsd's JSON (gpsd_json(5)), written into a reused buffer: compact, ASCII, one object per line, lines end with
/// CR LF. Writing allocates nothing once the buffer is large enough.
///
/// libgps 3.22 loses the rest of an object after a `null`, and after a nested value under a key that it does not know. Therefore an
/// unknown value has no key, and extra keys have scalar values, stand at the end, and begin with `x`.
package struct GPSDObjectBuffer: Sendable {
  /// The longest object, with its line ending (gpsd_json(5)): older clients truncate longer ones.
  package static let longestObject = 10_240
  /// The longest path that libgps reads (`GPS_PATH_MAX` − 1).
  static let longestPath = 127
  /// The longest text of a device.
  static let longestText = 64

  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Removes the objects and keeps their memory.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  // MARK: Structure

  /// Begins an object with its class.
  mutating func open(_ name: String) {
    append("{\"class\":\"")
    append(name)
    append("\"")
  }

  /// Ends an object.
  mutating func close() { append("}") }

  /// Ends a line.
  mutating func endLine() { append("\r\n") }

  /// Constant text, unchanged.
  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes one element of a list, and removes it again if the object would then exceed `longestObject`; `reserve` bytes
  /// are kept for the end of the list and of the object. Returns whether the element stays.
  mutating func element(
    _ index: Int, of object: Int, reserve: Int = 64, _ body: (inout GPSDObjectBuffer) -> Void
  ) -> Bool {
    let start = bytes.count
    if index > 0 { append(",") }
    body(&self)
    guard bytes.count - object > Self.longestObject - reserve else { return true }
    bytes.removeLast(bytes.count - start)
    return false
  }

  // MARK: Members, each after its comma; none if the value is unknown

  mutating func number(_ key: String, _ value: Double?, decimals: Int) {
    guard let value, let number = FixedDecimal(value, decimals: decimals) else { return }
    self.key(key)
    number.append(to: &bytes)
  }

  mutating func direction(_ key: String, _ degrees: Double?) {
    guard let degrees, let number = FixedDecimal(direction: degrees, decimals: 4) else { return }
    self.key(key)
    number.append(to: &bytes)
  }

  mutating func number(_ key: String, _ value: Int?) {
    guard let value else { return }
    self.key(key)
    append(value)
  }

  /// A whole number without a key.
  mutating func append(_ value: Int) {
    // Most are angles, strengths and numbers of satellites.
    guard (0..<1000).contains(value) else { return FixedDecimal(value).append(to: &bytes) }
    let (hundreds, tens, ones) = (value / 100, value / 10 % 10, value % 10)
    if hundreds > 0 { bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: hundreds)) }
    if value >= 10 { bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: tens)) }
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: ones))
  }

  /// Constant text that is written often, in one piece.
  struct Constant: Sendable {
    fileprivate let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// A key with its comma.
    init(key: String) { self.init(",\"\(key)\":") }
  }

  mutating func append(_ constant: Constant) { bytes.append(contentsOf: constant.bytes) }

  mutating func number(_ key: Constant, _ value: Int?) {
    guard let value else { return }
    append(key)
    append(value)
  }

  mutating func flag(_ key: String, _ value: Bool) {
    self.key(key)
    append(value ? "true" : "false")
  }

  /// ISO 8601, UTC, milliseconds.
  mutating func time(_ key: String, _ time: GNSSTime?) {
    guard let time, let stamp = Timestamp(time) else { return }
    self.key(key)
    append("\"")
    stamp.appendISO8601(to: &bytes)
    append("\"")
  }

  /// A text of a device or of a client, cut after `longest` bytes.
  mutating func text(_ key: String, _ text: String?, longest: Int = Self.longestText) {
    guard let text else { return }
    self.key(key)
    append("\"")
    append(escaping: text, longest: longest)
    append("\"")
  }

  /// The path of a device. A network source's user name and password are left out.
  mutating func path(_ key: String, _ path: String) {
    self.key(key)
    append("\"")
    append(escaping: GPSDPath.withoutCredentials(path), longest: Self.longestPath)
    append("\"")
  }

  mutating func key(_ key: String) {
    append(",\"")
    append(key)
    append("\":")
  }

  /// Characters that JSON or a terminal could misread are escaped; bytes beyond ASCII become question marks, because clients of libgps
  /// read neither them nor their escapes.
  mutating func append(escaping text: String, longest: Int) {
    for (count, byte) in text.utf8.enumerated() {
      guard count < longest else { return }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x20..<0x7F: bytes.append(byte)
      case ..<0x20:
        append("\\u00")
        bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
        let low = byte & 15
        bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
      case _: bytes.append(UInt8(ascii: "?"))
      }
    }
  }
}

/// The paths of devices as clients receive them.
enum GPSDPath {
  /// The name of the source of fixes that come from no receiver.
  static let service = "locationd"

  /// `tcp://user:password@host:port` as `tcp://host:port`; everything else unchanged.
  static func withoutCredentials(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: "@")), let scheme = path.firstPlace(of: "://") else { return path }
    let authority = path[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
    guard let end = authority.lastIndex(of: "@") else { return path }
    return String(path[..<scheme.upperBound]) + path[path.index(after: end)...]
  }
}
