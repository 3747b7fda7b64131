/// The name and password of an account at a caster. Its descriptions contain neither, so that neither gets into a log.
package struct CasterCredentials: Hashable, Sendable {
  private let user: String
  private let password: String

  /// Maximum length of a name and of a password, bytes.
  package static let longest = 256

  /// `nil` for texts that basic authentication cannot carry (RFC 7617, 2): a colon in the name, a control character. Also
  /// for an empty name, and for texts longer than `longest`.
  package init?(user: String, password: String) {
    let texts = [user, password]
    guard !user.isEmpty, !user.utf8.contains(UInt8(ascii: ":")),
      texts.allSatisfy({ $0.utf8.count <= Self.longest && $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } })
    else { return nil }
    self.user = user
    self.password = password
  }

  /// The value of the header `Authorization`.
  var authorization: String { "Basic " + Base64.text(Array("\(user):\(password)".utf8)) }
}

extension CasterCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "(hidden)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Base 64 (RFC 4648, 4).
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var characters: [UInt8] = []
    characters.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0..<4 {
        characters.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: characters, as: UTF8.self)
  }
}
