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

  /// The objects, followed by room for more while an object is written.
  private var storage: [UInt8] = []
  /// Where the next byte is written.
  private(set) var end = 0

  package init() {}

  /// The objects.
  package var bytes: [UInt8] { storage.count == end ? storage : Array(storage[..<end]) }

  /// Removes the objects and keeps their memory.
  package mutating func removeAll() {
    storage.removeAll(keepingCapacity: true)
    end = 0
  }

  /// The bytes by which the room grows.
  private static let moreRoom = [UInt8](repeating: 0, count: 1024)

  /// Writes at the end, at most `room` bytes: into room that is there, because a growing array checks at each byte whether it is shared.
  @inline(__always)
  mutating func write(room: Int, _ body: (inout TextCursor) -> Void) {
    while storage.count - end < room { storage.append(contentsOf: Self.moreRoom) }
    let start = end
    var cursor = TextCursor(storage.mutableSpan, at: start)
    body(&cursor)
    let position = cursor.position
    end = position
  }

  // MARK: Structure

  /// Begins an object with its class.
  mutating func open(_ name: String) {
    append("{\"class\":\"")
    append(name)
    append("\"")
  }

  /// Ends an object.
  mutating func close() { write(room: 1) { $0.write(UInt8(ascii: "}")) } }

  /// Ends a line.
  mutating func endLine() {
    write(room: 2) { cursor in
      cursor.write(0x0D)
      cursor.write(0x0A)
    }
    storage.removeLast(storage.count - end)
  }

  /// Constant text, unchanged.
  mutating func append(_ text: String) {
    write(room: text.utf8.count) { cursor in
      for byte in text.utf8 { cursor.write(byte) }
    }
  }

  /// Writes one element of a list, and removes it again if the object would then exceed `longestObject`; `reserve` bytes
  /// are kept for the end of the list and of the object. Returns whether the element stays.
  mutating func element(
    _ index: Int, of object: Int, reserve: Int = 64, _ body: (inout GPSDObjectBuffer) -> Void
  ) -> Bool {
    let start = end
    if index > 0 { append(",") }
    body(&self)
    guard end - object > Self.longestObject - reserve else { return true }
    end = start
    return false
  }

  // MARK: Members, each after its comma; none if the value is unknown

  /// Constant text that is written often, in one piece: at most 24 bytes.
  struct Constant: Sendable {
    let text: ShortText

    init(_ text: String) { self.text = ShortText(text) }

    /// The beginning of an object.
    init(class name: String) { self.init("{\"class\":\"\(name)\"") }

    /// A key with its comma.
    init(key: String) { self.init(",\"\(key)\":") }

    /// The room that it needs, alone and before the longest number or time.
    static let room = 24
    static let roomWithNumber = 24 + 24
  }

  mutating func append(_ constant: Constant) { write(room: Constant.room) { $0.write(constant.text) } }

  mutating func number(_ key: Constant, _ value: Double?, decimals: Int) {
    guard let value, let number = FixedDecimal(value, decimals: decimals) else { return }
    write(room: Constant.roomWithNumber) { cursor in
      cursor.write(key.text)
      number.write(to: &cursor)
    }
  }

  mutating func direction(_ key: Constant, _ degrees: Double?) {
    guard let degrees, let number = FixedDecimal(direction: degrees, decimals: 4) else { return }
    write(room: Constant.roomWithNumber) { cursor in
      cursor.write(key.text)
      number.write(to: &cursor)
    }
  }

  mutating func number(_ key: Constant, _ value: Int?) {
    guard let value else { return }
    write(room: Constant.roomWithNumber) { cursor in
      cursor.write(key.text)
      FixedDecimal(value).write(to: &cursor)
    }
  }

  mutating func number(_ key: String, _ value: Double?, decimals: Int) {
    number(Constant(key: key), value, decimals: decimals)
  }

  mutating func number(_ key: String, _ value: Int?) { number(Constant(key: key), value) }

  mutating func flag(_ key: String, _ value: Bool) {
    self.key(key)
    append(value ? "true" : "false")
  }

  /// ISO 8601, UTC, milliseconds.
  mutating func time(_ key: Constant, _ time: GNSSTime?) {
    guard let time, let stamp = Timestamp(time) else { return }
    write(room: Constant.roomWithNumber + 2) { cursor in
      cursor.write(key.text)
      cursor.write(UInt8(ascii: "\""))
      stamp.write(to: &cursor)
      cursor.write(UInt8(ascii: "\""))
    }
  }

  mutating func time(_ key: String, _ time: GNSSTime?) { self.time(Constant(key: key), time) }

  /// A text of a device or of a client, cut after `longest` bytes.
  mutating func text(_ key: String, _ text: String?, longest: Int = Self.longestText) {
    guard let text else { return }
    self.key(key)
    append("\"")
    append(escaping: text, longest: longest)
    append("\"")
  }

  /// The path of a device. A network source's user name and password are left out.
  mutating func path(_ key: Constant, _ path: String) {
    append(key)
    write(room: 1) { $0.write(UInt8(ascii: "\"")) }
    append(escaping: GPSDPath.withoutCredentials(path), longest: Self.longestPath)
    write(room: 1) { $0.write(UInt8(ascii: "\"")) }
  }

  mutating func path(_ key: String, _ path: String) { self.path(Constant(key: key), path) }

  mutating func key(_ key: String) {
    append(",\"")
    append(key)
    append("\":")
  }

  /// Characters that JSON or a terminal could misread are escaped; bytes beyond ASCII become question marks, because clients of libgps
  /// read neither them nor their escapes.
  mutating func append(escaping text: String, longest: Int) {
    // `\u001f` is the longest escape.
    write(room: min(text.utf8.count, longest) * 6) { cursor in
      var left = longest
      for byte in text.utf8 {
        guard left > 0 else { return }
        left -= 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
          cursor.write(UInt8(ascii: "\\"))
          cursor.write(byte)
        case 0x20..<0x7F: cursor.write(byte)
        case ..<0x20:
          for character in "\\u00".utf8 { cursor.write(character) }
          cursor.write(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
          let low = byte & 15
          cursor.write(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        case _: cursor.write(UInt8(ascii: "?"))
        }
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
