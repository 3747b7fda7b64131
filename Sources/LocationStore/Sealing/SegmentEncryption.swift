import Geodesy
package import LocationPolicy

/// The fields that only the header of an encrypted segment has: the owner's key, the segment's key, and the plaintext
/// header, encrypted (`SegmentHeader`).
package struct SegmentEncryption: Hashable, Sendable {
  static let boxSize = SecretBytes.count + Sodium.boxOverhead
  /// Size of `text` in bytes, the same for every header, so that it reveals nothing.
  static let textSize = 768
  /// Maximum length of the header within `text`, after its length field.
  static let contentSize = textSize - Sodium.tagSize - 2

  /// The owner's public key.
  package var owner: LogPublicKey
  /// The segment's first key, encrypted for the owner in a libsodium sealed box: `boxSize` bytes.
  package var box: [UInt8]
  /// The ciphertext of the segment's plaintext header (version 1): `textSize` bytes.
  package var text: [UInt8]
}

/// The plaintext header within an encrypted one.
extension SegmentEncryption {
  /// The length of the header's text, the text, and zeros to the end.
  static func content(of header: SegmentHeader) -> [UInt8] {
    let text = header.text
    precondition(text.count <= contentSize)
    var content: [UInt8] = []
    content.append(littleEndian: UInt16(text.count))
    return content + text + [UInt8](repeating: 0, count: contentSize - text.count)
  }

  /// Parses the output of `content(of:)`.
  static func header(of content: [UInt8]) -> SegmentHeader? {
    guard content.count == contentSize + 2 else { return nil }
    let length = Int(content.span.integer(at: 0, as: UInt16.self))
    guard length <= contentSize else { return nil }
    return SegmentHeader(text: Array(content[2..<2 + length]))
  }
}

/// An encrypted block. The plaintext is an open block (`TrackBlock`), shorter by 16 bytes, from its number of entries
/// on.
///
/// ```
/// 0  checksum, as of an open block: integrity can be checked without a key
/// 4  format: 4; blocks of earlier versions have 2 (`TrackBlockFormat`)
/// 5  0
/// 6  bytes 6…495 of the open block, encrypted; associated data: the segment's number (8 bytes) and the block's
///    index in the file (4 bytes), and with format 4 the format (1 byte)
/// ```
enum EncryptedBlock {
  /// The format of new blocks.
  static let format = TrackBlockFormat.sealedWithDilution
  /// Offset of the ciphertext.
  static let textOffset = 6
  /// Maximum size of the open block.
  static let openSize = TrackBlock.size - Sodium.tagSize

  /// The associated data, so that a block can be decrypted only at its own place.
  static func place(segment: UInt64, index: UInt32, _ format: TrackBlockFormat) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: segment)
    bytes.append(littleEndian: index)
    if format != .sealed { bytes.append(format.rawValue) }
    return bytes
  }

  /// The block with the given ciphertext.
  static func block(_ closed: [UInt8], segment: UInt64, index: UInt32) -> [UInt8] {
    var block = [0, 0, 0, 0, format.rawValue, 0] + closed
    precondition(block.count == TrackBlock.size)
    block.replace(at: 0, littleEndian: TrackBlock.checksum(block.span, segment: segment, index: index))
    return block
  }

  /// The open block with the given decrypted text.
  static func open(_ text: [UInt8]) -> [UInt8] {
    let block = [0, 0, 0, 0, 0, 0] + text
    return block + [UInt8](repeating: 0, count: TrackBlock.size - block.count)
  }
}

extension LogPublicKey {
  /// Whether this key can be used to encrypt: a few values of the right form are points of low order, which are not
  /// valid keys.
  package var isUsable: Bool { Sodium.box(SecretBytes(), to: bytes) != nil }
}

/// Encrypts one segment, block by block, and forgets each block's key.
final class SegmentEncryptor {
  /// The header of the file.
  let header: SegmentHeader
  private var ratchet: KeyRatchet

  /// Creates a random key for a segment with the header `header`, encrypted for `owner`; `nil` if `owner` is not a
  /// valid key.
  init?(_ header: SegmentHeader, to owner: LogPublicKey) {
    let key = Sodium.random()
    guard let box = Sodium.box(key, to: owner.bytes) else { return nil }
    let ratchet = KeyRatchet(key)
    var sealed = header.withoutDetail
    sealed.encryption = SegmentEncryption(owner: owner, box: box, text: [])
    let content = SegmentEncryption.content(of: header)
    let beside = sealed.outerText
    sealed.encryption?.text = ratchet.withHeaderKey { Sodium.close(content.span, beside: beside.span, $0) }
    self.header = sealed
    self.ratchet = ratchet
  }

  /// Encrypts an open block for the next place, `index`. The block consists of `EncryptedBlock.openSize` bytes followed
  /// by zeros, and is wiped.
  func close(_ block: inout [UInt8], index: UInt32) -> [UInt8] {
    precondition(ratchet.index == index)
    let beside = EncryptedBlock.place(segment: header.number, index: index, EncryptedBlock.format)
    let closed = ratchet.withNextKey { key in
      Sodium.close(
        block.span.extracting(EncryptedBlock.textOffset..<EncryptedBlock.openSize), beside: beside.span, key)
    }
    Sodium.wipe(&block)
    Sodium.wipeStack()
    return EncryptedBlock.block(closed, segment: header.number, index: index)
  }
}

/// The secret half of an owner's key pair, which decrypts what was encrypted for its public half.
package final class OwnerKey {
  private let secret: SecretBytes
  /// The public half, for which logs are encrypted.
  package let publicKey: LogPublicKey

  /// Generates a random key.
  package convenience init() { self.init(Sodium.random()) }

  /// Parses a key in the form of the property `text`.
  package convenience init(_ text: String) throws(LogKeyTextError) {
    var bytes = try LogKeyText.secretKey.bytes(of: text)
    self.init(SecretBytes(taking: &bytes))
  }

  private init(_ secret: consuming SecretBytes) {
    guard let publicKey = LogPublicKey(bytes: Sodium.publicKey(of: secret)) else { preconditionFailure("not 32 bytes") }
    self.publicKey = publicKey
    self.secret = secret
  }

  /// The key as one word, which must be kept secret.
  package var text: String { LogKeyText.secretKey.text(of: secret.copy) }

  /// Decrypts a sealed box that was made for this key.
  func open(_ box: [UInt8]) -> SecretBytes? { Sodium.open(box, publicKey.bytes, secret) }

  /// Decrypts a sealed box with bytes of any length.
  func open(box: [UInt8]) -> [UInt8]? { Sodium.openAny(box, publicKey.bytes, secret) }
}

/// Decrypts the blocks of one encrypted segment, in order.
final class SegmentDecryptor {
  private let number: UInt64
  private let sources: [TrackSource]
  private var ratchet: KeyRatchet

  /// Decrypts a header; `nil` if it is not encrypted for this key, or its content is invalid.
  init?(_ header: SegmentHeader, _ key: OwnerKey) {
    guard let seal = header.encryption, let first = key.open(seal.box) else { return nil }
    let ratchet = KeyRatchet(first)
    let beside = header.outerText
    guard let content = ratchet.withHeaderKey({ Sodium.open(seal.text.span, beside: beside.span, $0) }),
      let inner = SegmentEncryption.header(of: content), inner.number == header.number
    else { return nil }
    number = header.number
    sources = inner.sources
    self.ratchet = ratchet
  }

  /// The entries of the block at place `index`, which must be after all earlier ones.
  func entries(_ block: Span<UInt8>, index: UInt32) throws(TrackBlockError) -> [TrackEntry] {
    let format = try TrackBlock.check(block, segment: number, index: index, isSealed: true)
    // No segment is much longer than the limit. The check bounds a reader's work.
    guard Int(index) < 2 * OpenSegment.maximumSize / TrackBlock.size, ratchet.skip(to: index) else { throw .contents }
    let beside = EncryptedBlock.place(segment: number, index: index, format)
    let closed = block.extracting(EncryptedBlock.textOffset..<TrackBlock.size)
    guard let text = ratchet.withNextKey({ Sodium.open(closed, beside: beside.span, $0) }) else {
      throw .decryptionFailed
    }
    let open = EncryptedBlock.open(text)
    return try TrackBlockDecoder.entries(open.span, format, sources)
  }
}

/// The keys of one segment's blocks. They are derived from a chain key that is replaced one-way after each block, so
/// that the content of memory cannot decrypt earlier blocks.
///
/// The chain starts with the segment's own key. From each chain key, BLAKE2b derives the key of one block and the next
/// chain key; the first chain key also gives the header's key.
struct KeyRatchet: ~Copyable {
  private let chain: SecretBytes
  private let key = SecretBytes()
  /// The index in the file of the block that the next key belongs to.
  private(set) var index = UInt32(SegmentHeader.blocksOffset / TrackBlock.size)

  /// Starts with a segment's key.
  init(_ chain: consuming SecretBytes) { self.chain = chain }

  /// Calls `body` with the header's key. Must be called before any block's key is used.
  func withHeaderKey<R>(_ body: (borrowing SecretBytes) -> R) -> R {
    defer { key.wipe() }
    Sodium.derive(key, from: chain, for: "CLheader")
    return body(key)
  }

  /// Calls `body` with the next block's key, which is wiped afterwards.
  mutating func withNextKey<R>(_ body: (borrowing SecretBytes) -> R) -> R {
    Sodium.derive(key, from: chain, for: "CLblocks")
    turn()
    defer { key.wipe() }
    return body(key)
  }

  /// Skips blocks up to the one at `index`; returns `false` if that block was already passed.
  mutating func skip(to index: UInt32) -> Bool {
    guard index >= self.index else { return false }
    while self.index < index { turn() }
    return true
  }

  private mutating func turn() {
    Sodium.derive(chain, from: chain, for: "CLfollow")
    index += 1
  }
}
