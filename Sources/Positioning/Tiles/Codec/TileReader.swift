/// The records of a tile one by one.
struct TileReader {
  private var left: Int
  private var decoder: RangeDecoder
  private var coder = RecordCoder()
  private let bytes: [UInt8]

  /// `bytes` of a tile with a right header, which says `count`.
  init(_ bytes: [UInt8], count: Int) {
    self.bytes = bytes
    left = count
    decoder = RangeDecoder(bytes, from: AccessPointTile.headerSize, to: bytes.count - AccessPointTile.checksumSize)
  }

  /// `nil` behind the last one; an error where what is there is none, or something stands behind the last one.
  mutating func next() throws(TileError) -> TileRecord? {
    guard left > 0 else {
      let rest = bytes[decoder.position..<(bytes.count - AccessPointTile.checksumSize)]
      guard decoder.isAtEnd, rest.allSatisfy({ $0 == 0 }) else { throw .contents }
      return nil
    }
    left -= 1
    guard let record = coder.code(nil, with: &decoder), !decoder.isExhausted else { throw .contents }
    return record
  }
}
