/// To whom a log is sealed: the public half of its owner's key, with which anybody can close something and nobody can open it.
package struct SealKey: Hashable, Sendable {
  /// Bytes of a key of X25519, either half.
  package static let size = 32

  /// The key itself, `size` bytes.
  package let bytes: [UInt8]

  /// `nil` for any other number of bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  /// Reads what `text` writes.
  package init(_ text: String) throws(SealTextError) { bytes = try SealText.publicKey.bytes(of: text) }

  /// The key as one word: `seal1` and 56 letters and digits.
  package var text: String { SealText.publicKey.text(of: bytes) }
}
