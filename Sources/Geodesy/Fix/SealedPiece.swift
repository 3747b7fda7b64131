/// A piece of a sealed track, as it lies on the disk: only its owner can read it.
package enum SealedPiece: Hashable, Sendable {
  /// A segment begins: what its file begins with.
  case segment([UInt8])
  /// Whole blocks of that segment, the first of them at this place of its file.
  case blocks(at: UInt32, [UInt8])
  /// Something that cannot be read on the disk stood here.
  case unreadable
}
