import Geodesy
import LocationPolicy

/// The header of a sealed segment.
///
/// ```
/// 0     "CLTRACK" and a 0
/// 8     version: 2
/// 10    validity of the date below
/// 11    1: all fixes have that date; 0: that is not certain
/// 12    the segment's own number
/// 20    00:00 UTC of the first fix's date, nanoseconds since 1970
/// 28    the owner's public key, 32 bytes (X25519)
/// 60    the segment's key in a box for the owner, 80 bytes (libsodium's crypto_box_seal)
/// 140   length of the log's name, and the name in UTF-8
///       the open header (version 1), closed by a key that follows from the segment's, beside all before: 768 bytes
/// 1020  CRC-32C of all before
/// ```
extension SegmentHeader {
  private static let ownerOffset = 28
  private static let boxOffset = 60
  private static let nameOffset = boxOffset + SegmentSeal.boxSize

  /// What anybody may read of it, for a seal.
  var withoutDetail: SegmentHeader {
    let day = time + .nanoseconds(-time.nanosecondsSinceMidnight)
    var header = SegmentHeader(
      number: number, log: log, bootID: nil, time: day, timeValidity: timeValidity, arrival: Instant(nanoseconds: 0))
    header.isOneDay = isOneDay
    return header
  }

  /// What stands before the closed text.
  var outerText: [UInt8] {
    var bytes = Self.magic
    bytes.append(littleEndian: Self.sealedVersion)
    bytes += [timeValidity.rawValue, isOneDay ? 1 : 0]
    bytes.append(littleEndian: number)
    bytes.append(littleEndian: time.nanosecondsSince1970)
    bytes += seal?.owner.bytes ?? []
    bytes += seal?.box ?? []
    Self.append(log, to: &bytes)
    return bytes
  }

  /// Reads a whole one.
  init?(sealed bytes: Span<UInt8>) {
    func part(_ range: Range<Int>) -> [UInt8] { range.map { bytes[$0] } }
    var offset = Self.nameOffset
    guard let validity = TimeValidity(rawValue: bytes[10]), bytes[11] <= 1,
      let owner = SealKey(bytes: part(Self.ownerOffset..<Self.boxOffset)),
      let name = Self.string(bytes, at: &offset), offset + SegmentSeal.textSize <= Self.checksumOffset
    else { return nil }
    self.init(
      number: bytes.integer(at: 12), log: name, bootID: nil,
      time: GNSSTime(nanosecondsSince1970: bytes.integer(at: 20)), timeValidity: validity,
      arrival: Instant(nanoseconds: 0))
    isOneDay = bytes[11] == 1
    seal = SegmentSeal(
      owner: owner, box: part(Self.boxOffset..<Self.nameOffset), text: part(offset..<offset + SegmentSeal.textSize))
  }
}
