import WireFormats

/// The unit of a track: a sector that is written once and never again, and can be read without any other.
///
/// ```
/// 0  checksum: CRC-32C over the segment's number (8 bytes), the block's index in the file (4 bytes) and bytes 4…511
/// 4  format: 1
/// 5  0
/// 6  number of entries, 1…
/// 8  a byte for each column: bits of a difference, 0…64; top bit: differences from a straight line
///    the first entry: a column after the other, zigzag, seven bits a byte
///    the second entry's differences to the first, likewise, of the columns with a straight line
///    the other differences, entry by entry: zigzag, each as wide as its column, the lowest bit first; zeros to the end
/// ```
/// Integers have their lowest byte first. A column's difference is to the entry before, or to the straight line through the
/// two before, whichever needs fewer bits in this block.
package enum TrackBlock {
  /// Bytes of a block: a disk writes that many whole or not at all.
  package static let size = 512
  static let format: UInt8 = 1
  /// Where the columns' bytes begin.
  static let columnsOffset = 8
  static let lineMark: UInt8 = 0x80
  /// Entries that stand still take no room at all; a reader's memory is bounded all the same.
  static let maximumCount = 1000

  /// The checksum of a block of `size` bytes, wherever it was found.
  static func checksum(_ block: Span<UInt8>, segment: UInt64, index: UInt32) -> UInt32 {
    var checksum = CRC32C()
    checksum.add(segment)
    checksum.add(index)
    checksum.add(block.extracting(4..<size))
    return checksum.value
  }

  /// Whether a block that was found at place `index` is whole, and of a format.
  static func check(
    _ block: Span<UInt8>, segment: UInt64, index: UInt32, format: UInt8
  ) throws(TrackBlockError) {
    guard block.count == size else { throw .contents }
    let found = block.integer(at: 0, as: UInt32.self)
    let expected = checksum(block, segment: segment, index: index)
    guard found == expected else {
      throw block.indices.allSatisfy { block[$0] == 0 } ? .blank : .checksum(expected: expected, found: found)
    }
    guard block[4] == format else { throw .format(found: block[4]) }
  }
}

/// Why a block is not read.
package enum TrackBlockError: Error, Hashable, Sendable {
  /// Never written.
  case blank
  /// Damaged, or written for another place.
  case checksum(expected: UInt32, found: UInt32)
  /// Another format than its segment's.
  case format(found: UInt8)
  /// Whole, but not what our writer writes.
  case contents
  /// Sealed, and not by what was sealed before it, or not for this place.
  case seal
}
