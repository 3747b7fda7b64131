/// The text form of the keys of encrypted logs, which a person can copy: a prefix for the public or the secret key, then the key
/// and its check value in base32 (RFC 4648 §6, in lower case). The check value is CRC-24 (RFC 9580 §6.1.1) over prefix and key: it
/// detects every typo of up to four consecutive characters, and all but one in 16 million of the others.
package struct LogKeyText: Sendable {
  package let prefix: String

  /// The public key, which encrypts.
  package static let publicKey = LogKeyText(prefix: "seal1")
  /// The secret key, which decrypts.
  package static let secretKey = LogKeyText(prefix: "sealsecret1")

  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
  private static let checkSize = 3
  /// Characters after the prefix: five bits each, without a remainder.
  private static let count = (LogPublicKey.size + checkSize) * 8 / 5

  /// The text of a key of `LogPublicKey.size` bytes.
  package func text(of key: some Sequence<UInt8>) -> String {
    var (word, bits, free) = (Array(prefix.utf8), 0, 0)
    func add(_ byte: UInt8) {
      (bits, free) = (bits << 8 | Int(byte), free + 8)
      while free >= 5 {
        free -= 5
        word.append(Self.alphabet[bits >> free & 31])
      }
      bits &= 1 << free - 1
    }
    var check = Check()
    for byte in prefix.utf8 { check.add(byte) }
    for byte in key {
      check.add(byte)
      add(byte)
    }
    for shift in [16, 8, 0] { add(UInt8(truncatingIfNeeded: check.value >> shift)) }
    return String(decoding: word, as: UTF8.self)
  }

  /// Parses the text of a key, in upper or lower case.
  package func bytes(of text: String) throws(LogKeyTextError) -> [UInt8] {
    let word = Array(text.lowercased().utf8)
    guard word.starts(with: prefix.utf8) else {
      throw Self.secretKey.isBegun(by: word) ? .secret : Self.publicKey.isBegun(by: word) ? .public : .other
    }
    let digits = word.dropFirst(prefix.utf8.count)
    guard digits.count == Self.count else { throw .length(expected: Self.count, found: digits.count) }
    var (bytes, bits, held) = ([UInt8](), 0, 0)
    for digit in digits {
      guard let value = Self.alphabet.firstIndex(of: digit) else { throw .character }
      (bits, held) = (bits << 5 | value, held + 5)
      if held >= 8 {
        held -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> held))
        bits &= 1 << held - 1
      }
    }
    var check = Check()
    for byte in prefix.utf8 { check.add(byte) }
    for byte in bytes.prefix(LogPublicKey.size) { check.add(byte) }
    let found = bytes.dropFirst(LogPublicKey.size).reduce(0) { $0 << 8 | UInt32($1) }
    guard found == check.value else { throw .check }
    return Array(bytes.prefix(LogPublicKey.size))
  }

  /// Whether a text has the prefix of such a key.
  package func isBegun(by word: some Sequence<UInt8>) -> Bool { word.starts(with: prefix.utf8) }

  private struct Check {
    private(set) var value: UInt32 = 0xB704CE

    mutating func add(_ byte: UInt8) {
      value ^= UInt32(byte) << 16
      for _ in 0..<8 {
        value <<= 1
        if value & 0x100_0000 != 0 { value ^= 0x186_4CFB }
      }
    }
  }
}

/// Why a text is not the requested key.
package enum LogKeyTextError: Error, Hashable, Sendable {
  /// It has another prefix.
  case other
  /// It is the public key instead of the secret one.
  case `public`
  /// It is the secret key instead of the public one.
  case secret
  /// The number of characters after the prefix is wrong.
  case length(expected: Int, found: Int)
  /// A character is not in the alphabet.
  case character
  /// The check value is wrong: at least one character was mistyped.
  case check
}

/// The public key of a log's owner: everyone can encrypt with it, and only the owner can decrypt.
package struct LogPublicKey: Hashable, Sendable {
  /// Bytes of an X25519 key, public or secret.
  package static let size = 32

  /// The key itself, `size` bytes.
  package let bytes: [UInt8]

  /// `nil` for any other number of bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  /// Parses the form that `text` writes.
  package init(_ text: String) throws(LogKeyTextError) { bytes = try LogKeyText.publicKey.bytes(of: text) }

  /// The key as text: `seal1` and 56 letters and digits.
  package var text: String { LogKeyText.publicKey.text(of: bytes) }
}
