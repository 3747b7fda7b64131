import CSodium

/// The functions of libsodium that are used, each for one purpose; all `unsafe` code for them is here.
enum Sodium {
  /// Bytes that a sealed box adds: an ephemeral public key and a tag.
  static let boxOverhead = 48
  /// Bytes that encryption adds to a text.
  static let tagSize = 16
  private static let nonceSize = 24
  /// Each key encrypts only one text; therefore the nonce can be constant and need not be stored.
  private static let nonce = [UInt8](repeating: 0, count: nonceSize)

  /// Whether the library can be used, and has the sizes that are expected here. Initialization fails only if the kernel
  /// provides no random numbers.
  static let isReady: Bool = {
    let isReady = sodium_init() >= 0
    return isReady && crypto_box_sealbytes() == boxOverhead
      && crypto_aead_xchacha20poly1305_ietf_abytes() == tagSize
      && crypto_aead_xchacha20poly1305_ietf_npubbytes() == nonceSize
      && crypto_aead_xchacha20poly1305_ietf_keybytes() == SecretBytes.count
      && crypto_kdf_keybytes() == SecretBytes.count && crypto_box_secretkeybytes() == SecretBytes.count
  }()

  // MARK: Keys

  /// A random key.
  static func random() -> SecretBytes {
    let key = SecretBytes()
    unsafe randombytes_buf(key.base, SecretBytes.count)
    return key
  }

  /// Derives `target` one-way from `key`, for a purpose of eight letters (BLAKE2b, keyed). `target` and `key` may be
  /// the same.
  static func derive(_ target: borrowing SecretBytes, from key: borrowing SecretBytes, for purpose: StaticString) {
    precondition(purpose.utf8CodeUnitCount == 8)
    purpose.withUTF8Buffer { letters in
      unsafe letters.withMemoryRebound(to: CChar.self) { letters in
        guard let context = letters.baseAddress else { return }
        // This fails only for other key lengths.
        _ = unsafe crypto_kdf_derive_from_key(target.base, SecretBytes.count, 0, context, key.base)
      }
    }
  }

  /// The public half of a secret key.
  static func publicKey(of secret: borrowing SecretBytes) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: SecretBytes.count)
    _ = unsafe crypto_scalarmult_base(&key, secret.base)
    return key
  }

  // MARK: Boxes

  /// A sealed box for the owner of `publicKey`; `nil` if `publicKey` is not a valid key (a point of low order).
  static func box(_ secret: borrowing SecretBytes, to publicKey: [UInt8]) -> [UInt8]? {
    precondition(publicKey.count == SecretBytes.count)
    var box = [UInt8](repeating: 0, count: SecretBytes.count + boxOverhead)
    return unsafe crypto_box_seal(&box, secret.base, UInt64(SecretBytes.count), publicKey) == 0 ? box : nil
  }

  /// The content of a sealed box; `nil` if it is not for this owner, or is damaged.
  static func open(_ box: [UInt8], _ publicKey: [UInt8], _ secret: borrowing SecretBytes) -> SecretBytes? {
    guard box.count == SecretBytes.count + boxOverhead, publicKey.count == SecretBytes.count else { return nil }
    let content = SecretBytes()
    guard unsafe crypto_box_seal_open(content.base, box, UInt64(box.count), publicKey, secret.base) == 0 else {
      return nil
    }
    return content
  }

  /// A sealed box with bytes of any length; `nil` if `publicKey` is not a valid key.
  static func box(_ content: Span<UInt8>, to publicKey: [UInt8]) -> [UInt8]? {
    precondition(publicKey.count == SecretBytes.count && isReady)
    var box = [UInt8](repeating: 0, count: content.count + boxOverhead)
    let status = unsafe content.withUnsafeBufferPointer { content in
      unsafe crypto_box_seal(&box, content.baseAddress, UInt64(content.count), publicKey)
    }
    return status == 0 ? box : nil
  }

  /// The content of a sealed box of any length; `nil` if it is not for this owner, or is damaged.
  static func openAny(_ box: [UInt8], _ publicKey: [UInt8], _ secret: borrowing SecretBytes) -> [UInt8]? {
    guard box.count >= boxOverhead, publicKey.count == SecretBytes.count else { return nil }
    var content = [UInt8](repeating: 0, count: box.count - boxOverhead)
    guard unsafe crypto_box_seal_open(&content, box, UInt64(box.count), publicKey, secret.base) == 0 else { return nil }
    return content
  }

  // MARK: Texts

  /// Encrypts `text` with XChaCha20-Poly1305 and the associated data `beside`. A key must encrypt only one text.
  static func close(_ text: Span<UInt8>, beside: Span<UInt8>, _ key: borrowing SecretBytes) -> [UInt8] {
    var closed = [UInt8](repeating: 0, count: text.count + tagSize)
    unsafe text.withUnsafeBufferPointer { text in
      unsafe beside.withUnsafeBufferPointer { beside in
        _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
          &closed, nil, text.baseAddress, UInt64(text.count), beside.baseAddress, UInt64(beside.count), nil, nonce,
          key.base)
      }
    }
    return closed
  }

  /// The decrypted text; `nil` if the key or the associated data differ, or the text is damaged.
  static func open(_ closed: Span<UInt8>, beside: Span<UInt8>, _ key: borrowing SecretBytes) -> [UInt8]? {
    guard closed.count >= tagSize else { return nil }
    var text = [UInt8](repeating: 0, count: closed.count - tagSize)
    let status = unsafe closed.withUnsafeBufferPointer { closed in
      unsafe beside.withUnsafeBufferPointer { beside -> Int32 in
        guard let base = closed.baseAddress else { return -1 }
        return unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
          &text, nil, nil, base, UInt64(closed.count), beside.baseAddress, UInt64(beside.count), nonce,
          key.base)
      }
    }
    return status == 0 ? text : nil
  }

  /// Zeros all of `values`; the compiler cannot optimize the call away.
  static func wipe<Value: BitwiseCopyable>(_ values: inout [Value]) {
    unsafe values.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe sodium_memzero(base, bytes.count)
    }
  }

  /// Zeros the part of the stack that functions used before they returned, up to 4096 bytes.
  static func wipeStack() { sodium_stackzero(4096) }
}

/// The hash SHA-256 (FIPS 180-4), which identifies the source of a file.
package struct SHA256 {
  private var state = crypto_hash_sha256_state()

  package init() { _ = unsafe crypto_hash_sha256_init(&state) }

  package mutating func add(_ bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      _ = unsafe crypto_hash_sha256_update(&state, bytes.baseAddress, UInt64(bytes.count))
    }
  }

  /// The hash of all bytes, in hexadecimal digits.
  package consuming func finish() -> String {
    var hash = [UInt8](repeating: 0, count: crypto_hash_sha256_bytes())
    _ = unsafe crypto_hash_sha256_final(&state, &hash)
    var text = [CChar](repeating: 0, count: 2 * hash.count + 1)
    _ = unsafe sodium_bin2hex(&text, text.count, hash, hash.count)
    return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// 32 secret bytes: between guard pages, neither swapped out nor part of a core dump as far as the system supports
/// that, and wiped when this value is destroyed.
///
/// Safe: the memory lives as long as this value, which cannot be copied, is `count` bytes long, and is used by `Sodium` alone.
@safe struct SecretBytes: ~Copyable {
  static let count = 32

  let base: UnsafeMutablePointer<UInt8>

  /// All zeros.
  init() {
    precondition(Sodium.isReady, "the kernel gives no random numbers")
    guard let memory = unsafe sodium_malloc(Self.count) else { preconditionFailure("out of memory") }
    unsafe base = memory.bindMemory(to: UInt8.self, capacity: Self.count)
    unsafe sodium_memzero(base, Self.count)
  }

  /// Copies `bytes` and wipes the original.
  init(taking bytes: inout [UInt8]) {
    precondition(bytes.count == Self.count)
    self.init()
    for index in bytes.indices { unsafe base[index] = bytes[index] }
    Sodium.wipe(&bytes)
  }

  deinit { unsafe sodium_free(base) }

  /// A copy that is not wiped, for storing the key.
  var copy: [UInt8] { (0..<Self.count).map { unsafe base[$0] } }

  /// Wipes the bytes now.
  func wipe() { unsafe sodium_memzero(base, Self.count) }
}
