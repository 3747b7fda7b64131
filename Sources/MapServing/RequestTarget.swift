/// A request target (RFC 9112, section 3.2.1): the decoded parts of its path, and its query.
struct RequestTarget: Sendable {
  /// Without the slashes; empty for `/`.
  var path: [String]
  var query: [(name: String, value: String)]

  private static let mostParts = 8
  private static let mostFields = 16

  /// `nil` if it is not in origin form, or if anything in it is not valid percent-encoded UTF-8.
  init?(_ text: String) {
    let halves = text.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = halves.first, first.first == UInt8(ascii: "/") else { return nil }
    let parts = first.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count <= Self.mostParts else { return nil }
    path = []
    for part in parts where !(parts.count == 1 && part.isEmpty) {
      guard let text = Self.decoded(part, plusIsSpace: false) else { return nil }
      path.append(text)
    }
    guard let query = halves.count == 2 ? Self.fields(halves[1]) : [] else { return nil }
    self.query = query
  }

  /// The value of the only field of that name; `nil` if there is none, or several.
  func value(_ name: String) -> String? { Self.value(name, in: query) }

  static func value(_ name: String, in fields: [(name: String, value: String)]) -> String? {
    let values = fields.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// The fields of a query, or of a body that is written like one (application/x-www-form-urlencoded); `nil` if they are not valid.
  static func fields(_ bytes: some Collection<UInt8>) -> [(name: String, value: String)]? {
    guard !bytes.isEmpty else { return [] }
    var fields: [(name: String, value: String)] = []
    for field in bytes.split(separator: UInt8(ascii: "&")) {
      let sides = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard fields.count < mostFields, let name = decoded(sides[0], plusIsSpace: true),
        let value = sides.count == 2 ? decoded(sides[1], plusIsSpace: true) : ""
      else { return nil }
      fields.append((name, value))
    }
    return fields
  }

  /// Decodes `%20` and the like; `nil` for anything but UTF-8 without control characters.
  private static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
    var result: [UInt8] = []
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        result.append(high << 4 | low)
      } else {
        result.append(byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte)
      }
    }
    guard let text = String(validating: result, as: UTF8.self),
      !text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    else { return nil }
    return text
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
