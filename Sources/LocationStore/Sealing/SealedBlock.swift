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
