package import Geodesy

/// One access point in a tile.
struct TileRecord: Hashable {
  /// 48 bits.
  var address: UInt64
  var cell: TileCell
  var radius: RadiusClass
}

/// The stream of a tile's records, in ascending order of their addresses; one description for both directions.
///
/// An address is the distance to the one before, less one: how many bits it has (0…48) and its first two bits after the
/// leading one have a learned probability, the rest an even one. Makers number access points, and one box has several
/// addresses, so that most distances are small. A cell is near the one before (−31 to 32 cells away, learned by axis)
/// or anywhere: then the first five bits of both axes, interleaved, are learned, because the density of a city varies,
/// and the rest is even. The probability of "near" depends on how near the addresses are. The radius is learned.
struct RecordCoder {
  private var previous: TileRecord?
  private var lengths = [AdaptiveBit](repeating: AdaptiveBit(), count: 64)
  private var heads = [AdaptiveBit](repeating: AdaptiveBit(), count: 49 * 4)
  private var nears = [AdaptiveBit](repeating: AdaptiveBit(), count: 25)
  private var steps = [AdaptiveBit](repeating: AdaptiveBit(), count: 4 * 64)
  private var quarters = [AdaptiveBit](repeating: AdaptiveBit(), count: 1 << (2 * Self.learnedBits))
  private var radii = [AdaptiveBit](repeating: AdaptiveBit(), count: 1 << RadiusClass.bits)

  /// Bits of each axis whose probability is learned.
  private static let learnedBits = 5
  /// Bits of a step between two near cells; it is stored with 31 added.
  private static let stepBits = 6
  /// Addresses are siblings if their distance, less one, has fewer bits than this.
  private static let siblingBits = 8

  /// The next record: the given one when encoding, the decoded one when decoding; `nil` if the decoded one is invalid.
  mutating func code(_ reported: TileRecord?, with coder: inout some BitCoder) -> TileRecord? {
    let start = previous.map { $0.address + 1 } ?? 0
    let gap = (reported?.address ?? start) &- start
    let length = coder.code(UInt64.bitWidth - gap.leadingZeroBitCount, count: 6, by: &lengths)
    guard length <= 48 else { return nil }
    let address = start + tail(of: gap, length: length, with: &coder)
    guard address >> 48 == 0, let cell = code(reported?.cell, length: length, with: &coder),
      let radius = RadiusClass(
        rawValue: coder.code(reported?.radius.rawValue ?? 0, count: RadiusClass.bits, by: &radii))
    else { return nil }
    let record = TileRecord(address: address, cell: cell, radius: radius)
    previous = record
    return record
  }

  /// Codes the bits of `gap` after the leading one; returns the whole number, of `length` bits.
  private mutating func tail(of gap: UInt64, length: Int, with coder: inout some BitCoder) -> UInt64 {
    guard length > 1 else { return UInt64(length) }
    let head = min(2, length - 1)
    let rest = length - 1 - head
    let learned = coder.code(Int(gap >> UInt64(rest)) & (1 << head - 1), count: head, by: &heads, from: 4 * length)
    return (1 << UInt64(head) | UInt64(learned)) << UInt64(rest) | coder.codeEven(gap, count: rest)
  }

  private mutating func code(_ reported: TileCell?, length: Int, with coder: inout some BitCoder) -> TileCell? {
    let before = previous?.cell ?? TileCell(x: TileCell.count / 2, y: TileCell.count / 2)
    let step = reported.map { (x: $0.x - before.x, y: $0.y - before.y) } ?? (x: 0, y: 0)
    let range = -31...32
    let isNear = coder.code(range.contains(step.x) && range.contains(step.y), by: &nears[length / 2])
    guard isNear else { return codeFar(reported ?? before, with: &coder) }
    let models = length < Self.siblingBits ? 0 : 2
    let x = coder.code(step.x + 31, count: Self.stepBits, by: &steps, from: 64 * models)
    let y = coder.code(step.y + 31, count: Self.stepBits, by: &steps, from: 64 * (models + 1))
    let cell = TileCell(x: before.x + x - 31, y: before.y + y - 31)
    let cells = 0..<TileCell.count
    return cells.contains(cell.x) && cells.contains(cell.y) ? cell : nil
  }

  private mutating func codeFar(_ reported: TileCell, with coder: inout some BitCoder) -> TileCell {
    let evenBits = TileCell.bits - Self.learnedBits
    var quarter = 0
    for bit in stride(from: TileCell.bits - 1, through: evenBits, by: -1) {
      quarter = quarter << 2 | (reported.y >> bit & 1) << 1 | reported.x >> bit & 1
    }
    quarter = coder.code(quarter, count: 2 * Self.learnedBits, by: &quarters)
    var cell = TileCell(x: 0, y: 0)
    for level in stride(from: Self.learnedBits - 1, through: 0, by: -1) {
      cell.y = cell.y << 1 | quarter >> (2 * level + 1) & 1
      cell.x = cell.x << 1 | quarter >> (2 * level) & 1
    }
    cell.x = cell.x << evenBits | Int(coder.codeEven(UInt64(reported.x & (1 << evenBits - 1)), count: evenBits))
    cell.y = cell.y << evenBits | Int(coder.codeEven(UInt64(reported.y & (1 << evenBits - 1)), count: evenBits))
    return cell
  }
}

/// The accuracy of a position, in one of 16 steps, each about 1.35 times the one before.
package struct RadiusClass: Hashable, Sendable {
  /// 0…15.
  package let rawValue: Int

  /// The radius of each class, meters. Between the first and the last, rounding to a class changes a radius by at most
  /// 17.3 %.
  private static let meters = [8.0, 11, 15, 20, 27, 36, 49, 66, 90, 120, 165, 220, 300, 400, 540, 730]
  static let bits = 4

  /// `nil` if there is no such class.
  init?(rawValue: Int) {
    guard Self.meters.indices.contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// The class nearest to a radius, by their ratio.
  package init(_ radius: Meters) {
    rawValue =
      Self.meters.indices.dropLast().first { index in
        radius.value * radius.value < Self.meters[index] * Self.meters[index + 1]
      } ?? Self.meters.count - 1
  }

  /// The radius that the class is read as.
  package var radius: Meters { Meters(Self.meters[rawValue]) }
}

/// Reads the records of a tile one by one.
struct TileReader {
  private var left: Int
  private var decoder: RangeDecoder
  private var coder = RecordCoder()
  private let bytes: [UInt8]

  /// - Parameter bytes: a tile with a valid header, which contains `count`.
  init(_ bytes: [UInt8], count: Int) {
    self.bytes = bytes
    left = count
    decoder = RangeDecoder(bytes, from: AccessPointTile.headerSize, to: bytes.count - AccessPointTile.checksumSize)
  }

  /// The next record; `nil` after the last one. Throws if a record is invalid, or if bytes follow the last one.
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
