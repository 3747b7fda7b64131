package import LocationPolicy

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
