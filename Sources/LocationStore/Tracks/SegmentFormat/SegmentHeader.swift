package import Geodesy
import LocationPolicy
import WireFormats

/// The header of a segment's file, stored twice: the values that are needed to read its blocks, and their origin.
///
/// ```
/// 0     "CLTRACK" and a 0
/// 8     version: 1
/// 10    validity of the time below
/// 11    1: all fixes have the date of the time below; 0: that is not certain
/// 12    the segment's own random number: a block of another file does not match it
/// 20    time of the first fix, nanoseconds since 1970
/// 28    its arrival, nanoseconds since boot (CLOCK_BOOTTIME)
/// 36    boot ID (random(4)), 16 bytes; zeros if it is not known
/// 52    length of the log's name, and the name in UTF-8
///       number of sources; each: length and text of its device, length and text of its receiver
/// 1020  CRC-32C of all before
/// ```
/// Integers are little-endian. The header relates GNSS time, monotonic time and boot; together with the offset stored with
/// each fix this allows all times of a segment to be corrected if the date turns out to have been wrong.
///
/// An encrypted segment's header (version 2, below) shows the log's name and the date to everyone, and the rest only to its
/// owner.
package struct SegmentHeader: Hashable, Sendable {
  package static let size = 1024
  /// Offset of the first block, after both copies.
  package static let blocksOffset = 2 * size
  static let version: UInt16 = 1
  static let sealedVersion: UInt16 = 2
  /// Maximum length in bytes; the index rejects longer names.
  package static let maximumNameLength = 64
  static let magic = Array("CLTRACK\0".utf8)
  private static let nameOffset = 52
  package static let checksumOffset = 1020

  /// Distinguishes this segment's blocks from all others.
  package var number: UInt64
  /// The name of the segment's log.
  package var log: String
  /// 32 hexadecimal digits with or without hyphens; `nil` if it is unknown.
  package var bootID: String?
  /// The time of the first fix, its validity, and when the fix arrived.
  package var time: GNSSTime
  package var timeValidity: TimeValidity
  package var arrival: Instant
  /// Whether all fixes have the date of `time`; segments of earlier versions do not record it.
  package var isOneDay = false
  /// The sources, to which fixes refer by number.
  package private(set) var sources: [TrackSource] = []
  /// For an encrypted segment: the encrypted key, and the part of the header that only the owner can read.
  package var encryption: SegmentEncryption?

  package init(
    number: UInt64, log: String, bootID: String?, time: GNSSTime, timeValidity: TimeValidity, arrival: Instant
  ) {
    self.number = number
    self.log = log
    self.bootID = bootID
    self.time = time
    self.timeValidity = timeValidity
    self.arrival = arrival
  }

  /// Adds a source; `false` if there is no room for it.
  ///
  /// - Parameter room: maximum size of the header in bytes.
  package mutating func add(_ source: TrackSource, room: Int = checksumOffset) -> Bool {
    var longer = self
    longer.sources.append(source)
    guard longer.text.count <= room, longer.sources.count <= 255 else { return false }
    self = longer
    return true
  }

  /// The number by which fixes refer to a source; 0 if nothing is known about the source, `nil` if it is not in the
  /// list.
  func index(of source: TrackSource) -> Int? {
    source.isUnknown ? 0 : sources.firstIndex(of: source).map { $0 + 1 }
  }
}

/// The file form.
extension SegmentHeader {
  /// One copy, `size` bytes.
  package var bytes: [UInt8] {
    var bytes = encryption.map { outerText + $0.text } ?? text
    bytes += [UInt8](repeating: 0, count: Self.checksumOffset - bytes.count)
    bytes.append(littleEndian: Self.checksum(bytes.span))
    return bytes
  }

  /// Parses the header; `nil` if it is damaged or of another version.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Self.size,
      bytes.integer(at: Self.checksumOffset, as: UInt32.self) == Self.checksum(bytes)
    else { return nil }
    self.init(content: bytes)
  }

  /// Parses the header's own text, without the zeros and the checksum after it.
  init?(text: [UInt8]) {
    guard text.count <= Self.checksumOffset else { return nil }
    let bytes = text + [UInt8](repeating: 0, count: Self.size - text.count)
    self.init(content: bytes.span)
    guard encryption == nil else { return nil }
  }

  /// Parses `size` bytes without checking the checksum.
  private init?(content bytes: Span<UInt8>) {
    guard Self.magic.indices.allSatisfy({ bytes[$0] == Self.magic[$0] }) else { return nil }
    let version = bytes.integer(at: 8, as: UInt16.self)
    if version == Self.sealedVersion {
      self.init(sealed: bytes)
      return
    }
    guard version == Self.version, let validity = TimeValidity(rawValue: bytes[10]) else { return nil }
    var offset = Self.nameOffset
    guard let name = Self.string(bytes, at: &offset) else { return nil }
    self.init(
      number: bytes.integer(at: 12), log: name, bootID: Self.bootID(bytes.extracting(36..<52)),
      time: GNSSTime(nanosecondsSince1970: bytes.integer(at: 20)), timeValidity: validity,
      arrival: Instant(nanoseconds: bytes.integer(at: 28)))
    isOneDay = bytes[11] == 1
    let count = Int(bytes[offset])
    offset += 1
    for _ in 0..<count {
      guard let device = Self.string(bytes, at: &offset), let receiver = Self.string(bytes, at: &offset) else {
        return nil
      }
      sources.append(TrackSource(device: device, receiver: receiver))
    }
  }

  var text: [UInt8] {
    var bytes = Self.magic
    bytes.append(littleEndian: Self.version)
    bytes += [timeValidity.rawValue, isOneDay ? 1 : 0]
    bytes.append(littleEndian: number)
    bytes.append(littleEndian: time.nanosecondsSince1970)
    bytes.append(littleEndian: arrival.nanoseconds)
    bytes += Self.bytes(ofBootID: bootID)
    for text in [log] { Self.append(text, to: &bytes) }
    bytes.append(UInt8(sources.count))
    for source in sources {
      Self.append(source.device ?? "", to: &bytes)
      Self.append(source.receiver ?? "", to: &bytes)
    }
    return bytes
  }

  static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
    var checksum = CRC32C()
    checksum.add(bytes.extracting(..<checksumOffset))
    return checksum.value
  }

  static func append(_ text: String, to bytes: inout [UInt8]) {
    let utf8 = Array(text.utf8.prefix(TrackSource.maximumLength))
    bytes.append(UInt8(utf8.count))
    bytes += utf8
  }

  /// The text at `offset`, which is advanced past it; `nil` if the text is not valid, or does not end before the
  /// checksum.
  static func string(_ bytes: Span<UInt8>, at offset: inout Int) -> String? {
    guard offset < checksumOffset, offset + 1 + Int(bytes[offset]) < checksumOffset + 1 else { return nil }
    let end = offset + 1 + Int(bytes[offset])
    let utf8 = (offset + 1..<end).map { bytes[$0] }
    offset = end
    return String(validating: utf8, as: UTF8.self)
  }

  private static func bytes(ofBootID id: String?) -> [UInt8] {
    let digits = (id ?? "").utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 32 else { return [UInt8](repeating: 0, count: 16) }
    return stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  private static func bootID(_ bytes: Span<UInt8>) -> String? {
    guard !bytes.indices.allSatisfy({ bytes[$0] == 0 }) else { return nil }
    var text = ""
    for index in bytes.indices {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      let digits = String(bytes[index], radix: 16)
      text += digits.count == 1 ? "0" + digits : digits
    }
    return text
  }
}

/// The header of an encrypted segment.
///
/// ```
/// 0     "CLTRACK" and a 0
/// 8     version: 2
/// 10    validity of the date below
/// 11    1: all fixes have that date; 0: that is not certain
/// 12    the segment's own number
/// 20    00:00 UTC of the first fix's date, nanoseconds since 1970
/// 28    the owner's public key, 32 bytes (X25519)
/// 60    the segment's key, encrypted for the owner, 80 bytes (libsodium's crypto_box_seal)
/// 140   length of the log's name, and the name in UTF-8
///       the plaintext header (version 1), encrypted by a key derived from the segment's, 768 bytes; associated data: all
///       before
/// 1020  CRC-32C of all before
/// ```
extension SegmentHeader {
  private static let ownerOffset = 28
  private static let boxOffset = 60
  private static let sealedNameOffset = boxOffset + SegmentEncryption.boxSize

  /// The publicly readable part, for an encrypted segment.
  var withoutDetail: SegmentHeader {
    let day = time + .nanoseconds(-time.nanosecondsSinceMidnight)
    var header = SegmentHeader(
      number: number, log: log, bootID: nil, time: day, timeValidity: timeValidity, arrival: Instant(nanoseconds: 0))
    header.isOneDay = isOneDay
    return header
  }

  /// The bytes before the ciphertext.
  var outerText: [UInt8] {
    var bytes = Self.magic
    bytes.append(littleEndian: Self.sealedVersion)
    bytes += [timeValidity.rawValue, isOneDay ? 1 : 0]
    bytes.append(littleEndian: number)
    bytes.append(littleEndian: time.nanosecondsSince1970)
    bytes += encryption?.owner.bytes ?? []
    bytes += encryption?.box ?? []
    Self.append(log, to: &bytes)
    return bytes
  }

  /// Parses a complete encrypted header.
  init?(sealed bytes: Span<UInt8>) {
    func part(_ range: Range<Int>) -> [UInt8] { range.map { bytes[$0] } }
    var offset = Self.sealedNameOffset
    guard let validity = TimeValidity(rawValue: bytes[10]), bytes[11] <= 1,
      let owner = LogPublicKey(bytes: part(Self.ownerOffset..<Self.boxOffset)),
      let name = Self.string(bytes, at: &offset), offset + SegmentEncryption.textSize <= Self.checksumOffset
    else { return nil }
    self.init(
      number: bytes.integer(at: 12), log: name, bootID: nil,
      time: GNSSTime(nanosecondsSince1970: bytes.integer(at: 20)), timeValidity: validity,
      arrival: Instant(nanoseconds: 0))
    isOneDay = bytes[11] == 1
    encryption = SegmentEncryption(
      owner: owner, box: part(Self.boxOffset..<Self.sealedNameOffset),
      text: part(offset..<offset + SegmentEncryption.textSize))
  }
}

/// The two copies.
extension SegmentHeader {
  /// The header at the beginning of a file, from the first copy that is intact.
  package static func either(_ bytes: Span<UInt8>) -> SegmentHeader? {
    for offset in [0, size] where bytes.count >= offset + size {
      if let header = SegmentHeader(bytes.extracting(offset..<offset + size)) { return header }
    }
    return nil
  }
}
