import Geodesy
package import LocationPolicy

/// What a sealed segment's header says instead of where it comes from (`SegmentHeader`).
package struct SegmentSeal: Hashable, Sendable {
  static let boxSize = SecretBytes.count + Sodium.boxOverhead
  /// Bytes of `text`, of any header: its length tells nothing.
  static let textSize = 768
  /// The longest header that it holds, behind its length.
  static let contentSize = textSize - Sodium.tagSize - 2

  /// Who can open it.
  package var owner: SealKey
  /// The key of the first block, for the owner: `boxSize` bytes.
  package var box: [UInt8]
  /// The open header, closed: `textSize` bytes.
  package var text: [UInt8]
}

/// The open header within a sealed one.
extension SegmentSeal {
  /// The header's own text behind its length, with zeros to the end.
  static func content(of header: SegmentHeader) -> [UInt8] {
    let text = header.text
    precondition(text.count <= contentSize)
    var content: [UInt8] = []
    content.append(littleEndian: UInt16(text.count))
    return content + text + [UInt8](repeating: 0, count: contentSize - text.count)
  }

  /// The header that `content` wrote.
  static func header(of content: [UInt8]) -> SegmentHeader? {
    guard content.count == contentSize + 2 else { return nil }
    let length = Int(content.span.integer(at: 0, as: UInt16.self))
    guard length <= contentSize else { return nil }
    return SegmentHeader(text: Array(content[2..<2 + length]))
  }
}

/// A block that is closed: as an open one (`TrackBlock`) that is 16 bytes shorter, from its number of entries on.
///
/// ```
/// 0  checksum, as of an open block: whether it is whole shows without a key
/// 4  format: 2
/// 5  0
/// 6  bytes 6…495 of the open block, closed beside the segment's number (8 bytes) and the block's index in the file (4 bytes)
/// ```
enum SealedBlock {
  static let format: UInt8 = 2
  /// Where the closed text begins.
  static let textOffset = 6
  /// As long as an open block may get.
  static let openSize = TrackBlock.size - Sodium.tagSize

  /// Where a block belongs: it cannot be read anywhere else.
  static func place(segment: UInt64, index: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: segment)
    bytes.append(littleEndian: index)
    return bytes
  }

  /// The block around a closed text.
  static func block(_ closed: [UInt8], segment: UInt64, index: UInt32) -> [UInt8] {
    var block = [0, 0, 0, 0, format, 0] + closed
    precondition(block.count == TrackBlock.size)
    block.replace(at: 0, littleEndian: TrackBlock.checksum(block.span, segment: segment, index: index))
    return block
  }

  /// The open block around a text that was opened.
  static func open(_ text: [UInt8]) -> [UInt8] {
    let block = [0, 0, 0, 0, TrackBlock.format, 0] + text
    return block + [UInt8](repeating: 0, count: TrackBlock.size - block.count)
  }
}

extension SealKey {
  /// Whether something can be sealed to it: a few words of the right form are points of low order, and no keys.
  package var isUsable: Bool { Sodium.box(SecretBytes(), to: bytes) != nil }
}

/// Closes one segment, block by block, and forgets the key of each.
final class SegmentSealer {
  /// What the file begins with.
  let header: SegmentHeader
  private var ratchet: KeyRatchet

  /// A segment with a key of its own by chance, whose header is `header`, for `owner`; `nil` where that is no key.
  init?(_ header: SegmentHeader, to owner: SealKey) {
    let key = Sodium.random()
    guard let box = Sodium.box(key, to: owner.bytes) else { return nil }
    let ratchet = KeyRatchet(key)
    var sealed = header.withoutDetail
    sealed.seal = SegmentSeal(owner: owner, box: box, text: [])
    let content = SegmentSeal.content(of: header)
    let beside = sealed.outerText
    sealed.seal?.text = ratchet.withHeaderKey { Sodium.close(content.span, beside: beside.span, $0) }
    self.header = sealed
    self.ratchet = ratchet
  }

  /// The block for the next place, `index`, of an open one that is `SealedBlock.openSize` long with zeros behind it, and is
  /// wiped.
  func close(_ block: inout [UInt8], index: UInt32) -> [UInt8] {
    precondition(ratchet.index == index)
    let beside = SealedBlock.place(segment: header.number, index: index)
    let closed = ratchet.withNextKey { key in
      Sodium.close(
        block.span.extracting(SealedBlock.textOffset..<SealedBlock.openSize), beside: beside.span, key)
    }
    Sodium.wipe(&block)
    Sodium.wipeStack()
    return SealedBlock.block(closed, segment: header.number, index: index)
  }
}

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

/// Opens the blocks of one sealed segment, in their order.
final class SegmentOpener {
  private let number: UInt64
  private let sources: [TrackSource]
  private var ratchet: KeyRatchet

  /// Opens a header; `nil` where it is not sealed to this key, or holds what no writer has written.
  init?(_ header: SegmentHeader, _ key: OwnerKey) {
    guard let seal = header.seal, let first = key.open(seal.box) else { return nil }
    let ratchet = KeyRatchet(first)
    let beside = header.outerText
    guard let content = ratchet.withHeaderKey({ Sodium.open(seal.text.span, beside: beside.span, $0) }),
      let inner = SegmentSeal.header(of: content), inner.number == header.number
    else { return nil }
    number = header.number
    sources = inner.sources
    self.ratchet = ratchet
  }

  /// The entries of the block at place `index`, behind all that were asked for before.
  func entries(_ block: Span<UInt8>, index: UInt32) throws(TrackBlockError) -> [TrackEntry] {
    try TrackBlock.check(block, segment: number, index: index, format: SealedBlock.format)
    // No writer goes far beyond a segment's size; a reader's work is bounded.
    guard Int(index) < 2 * OpenSegment.maximumSize / TrackBlock.size, ratchet.skip(to: index) else { throw .contents }
    let beside = SealedBlock.place(segment: number, index: index)
    let closed = block.extracting(SealedBlock.textOffset..<TrackBlock.size)
    guard let text = ratchet.withNextKey({ Sodium.open(closed, beside: beside.span, $0) }) else { throw .seal }
    let open = SealedBlock.open(text)
    return try TrackBlockDecoder.entries(open.span, sources)
  }
}

/// The keys of one segment's blocks, one after the other: each follows from a chain that is turned one way behind it, so that
/// what is in memory opens nothing that was closed before.
///
/// The chain begins as the segment's own key. Of each of its links follow, by BLAKE2b, the key of one block and the next link;
/// the first one's also opens the header.
struct KeyRatchet: ~Copyable {
  private let chain: SecretBytes
  private let key = SecretBytes()
  /// The index in the file of the block whose key is the next.
  private(set) var index = UInt32(SegmentHeader.blocksOffset / TrackBlock.size)

  /// Begins with a segment's key.
  init(_ chain: consuming SecretBytes) { self.chain = chain }

  /// Calls `body` with the key of the header; before any block's.
  func withHeaderKey<R>(_ body: (borrowing SecretBytes) -> R) -> R {
    defer { key.wipe() }
    Sodium.derive(key, from: chain, for: "CLheader")
    return body(key)
  }

  /// Calls `body` with the next block's key, which is gone afterwards.
  mutating func withNextKey<R>(_ body: (borrowing SecretBytes) -> R) -> R {
    Sodium.derive(key, from: chain, for: "CLblocks")
    turn()
    defer { key.wipe() }
    return body(key)
  }

  /// Leaves blocks out, up to the one at `index`; `false` where that lies behind it.
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
