package import LocationPolicy

/// The secret half of an owner's key: it opens what was sealed to its public half.
package final class OwnerKey {
  private let secret: SecretBytes
  /// To which logs are sealed.
  package let publicKey: SealKey

  /// A new one, by chance.
  package convenience init() { self.init(Sodium.random()) }

  /// Reads what `text` writes.
  package convenience init(_ text: String) throws(SealTextError) {
    var bytes = try SealText.secretKey.bytes(of: text)
    self.init(SecretBytes(taking: &bytes))
  }

  private init(_ secret: consuming SecretBytes) {
    guard let publicKey = SealKey(bytes: Sodium.publicKey(of: secret)) else { preconditionFailure("not 32 bytes") }
    self.publicKey = publicKey
    self.secret = secret
  }

  /// The key as one word, to be kept secret.
  package var text: String { SealText.secretKey.text(of: secret.copy) }

  /// What a box holds that was made for this key.
  func open(_ box: [UInt8]) -> SecretBytes? { Sodium.open(box, publicKey.bytes, secret) }
}
