import WireFormats

/// Protocols of receivers that are not supported, recognized by their frames.
package enum UnsupportedProtocol: String, Hashable, Sendable, CaseIterable {
  case sirf = "SiRF binary"
  case trimble = "Trimble TSIP"
  case garmin = "Garmin's binary protocol"
  case skytraq = "SkyTraq binary"
  case mediatek = "MediaTek binary"
  case casic = "CASIC binary"
  case septentrio = "Septentrio SBF"
  case novatel = "NovAtel binary"

  /// This many frames prove a protocol; noise looks like one frame now and then.
  static let framesToProve = 2

  /// The protocol of the bytes; `nil`: none of these.
  static func recognize(_ bytes: [UInt8]) -> UnsupportedProtocol? {
    allCases.first { $0.frames(in: bytes) >= framesToProve }
  }

  /// The protocol at the beginning of a recording, which may also contain sentences without a position (a receiver's greeting,
  /// its version); `nil`: none of these, or a supported protocol is present too.
  package static func alone(in bytes: Span<UInt8>) -> UnsupportedProtocol? {
    var decoder = WireDecoder()
    var evidence = FixEvidence()
    decoder.push(bytes) { message in
      if case .nmea(let sentence, _) = message { evidence.add(sentence) }
    }
    // A binary u-blox frame may contain bytes that look like another protocol's.
    guard decoder.counters.validUBX == 0, evidence.positionMessages == 0 else { return nil }
    return recognize(bytes.indices.map { bytes[$0] })
  }

  private func frames(in bytes: [UInt8]) -> Int {
    var count = 0
    var position = 0
    while position < bytes.count, count < Self.framesToProve {
      if let length = frameLength(bytes, at: position) {
        count += 1
        position += length
      } else {
        position += 1
      }
    }
    return count
  }

  /// The length of the complete frame that begins at `start`; `nil`: there is none, or its end has not been received.
  private func frameLength(_ bytes: [UInt8], at start: Int) -> Int? {
    func byte(_ offset: Int) -> Int? { start + offset < bytes.count ? Int(bytes[start + offset]) : nil }
    func begins(_ magic: UInt8...) -> Bool {
      magic.indices.allSatisfy { byte($0) == Int(magic[$0]) }
    }
    switch self {
    // A0 A2, length (15 bits, big endian), payload, its sum in 15 bits, B0 B3 (SiRF Binary Protocol, 1040-0041).
    case .sirf:
      guard begins(0xA0, 0xA2), let high = byte(2), let low = byte(3) else { return nil }
      let length = (high & 0x7F) << 8 | low
      guard (1...1023).contains(length), byte(length + 6) == 0xB0, byte(length + 7) == 0xB3 else { return nil }
      let sum = (0..<length).reduce(0) { ($0 + (byte(4 + $1) ?? 0)) & 0x7FFF }
      return byte(length + 4) == sum >> 8 && byte(length + 5) == sum & 0xFF ? length + 8 : nil
    // A0 A1, length, payload, XOR, 0D 0A (SkyTraq AN0003).
    case .skytraq:
      guard begins(0xA0, 0xA1), let high = byte(2), let low = byte(3) else { return nil }
      let length = high << 8 | low
      guard (1...1023).contains(length), byte(length + 5) == 0x0D, byte(length + 6) == 0x0A else { return nil }
      let check = (0..<length).reduce(0) { $0 ^ (byte(4 + $1) ?? 0) }
      return byte(length + 4) == check ? length + 7 : nil
    // 04 24, length of the whole packet, little endian, …, 0D 0A (MTK binary protocol).
    case .mediatek:
      guard begins(0x04, 0x24), let low = byte(2), let high = byte(3) else { return nil }
      let length = high << 8 | low
      guard (9...1023).contains(length), byte(length - 2) == 0x0D, byte(length - 1) == 0x0A else { return nil }
      return length
    // BA CE, length of the payload, little endian and a multiple of four, class, identifier, payload, checksum: the sum
    // of the payload's 32-bit words and of one word made of length, class and identifier (CASIC receiver protocol
    // specification 4.2, section 2.2).
    case .casic:
      guard begins(0xBA, 0xCE), let low = byte(2), let high = byte(3), let kind = byte(4), let id = byte(5) else {
        return nil
      }
      let length = high << 8 | low
      guard (0...2048).contains(length), length.isMultiple(of: 4), start + length + 10 <= bytes.count else {
        return nil
      }
      func word(_ offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(byte(offset + $1) ?? 0) << UInt32(8 * $1) }
      }
      let head = UInt32(id) << 24 &+ UInt32(kind) << 16 &+ UInt32(length)
      let sum = stride(from: 6, to: length + 6, by: 4).reduce(head) { $0 &+ word($1) }
      return word(length + 6) == sum ? length + 10 : nil
    // 10, identifier, data with 10 doubled, 10 03; in Garmin's protocol, a length that matches follows the identifier.
    case .trimble: return stuffedFrame(bytes, at: start).flatMap { $0.isGarmin ? nil : $0.length }
    case .garmin: return stuffedFrame(bytes, at: start).flatMap { $0.isGarmin ? $0.length : nil }
    // "$@", CRC, identifier, length of the whole frame, little endian and a multiple of four (SBF reference guide,
    // 4.1).
    case .septentrio:
      guard begins(0x24, 0x40), let low = byte(6), let high = byte(7) else { return nil }
      let length = high << 8 | low
      guard (8...4096).contains(length), length.isMultiple(of: 4), start + length <= bytes.count else { return nil }
      return begins(0x24, 0x40) && (start + length == bytes.count || bytes[start + length] == 0x24) ? length : nil
    // AA 44 12, a header of 28 bytes with its own length at 3 and the message's length at 8, message, CRC of 4 bytes
    // (OEM7 reference, 1.1.3).
    case .novatel:
      guard begins(0xAA, 0x44, 0x12), byte(3) == 28, let low = byte(8), let high = byte(9) else { return nil }
      let length = 28 + (high << 8 | low) + 4
      guard start + length <= bytes.count else { return nil }
      return start + length == bytes.count || bytes[start + length] == 0xAA ? length : nil
    }
  }

  /// A frame between DLE and DLE ETX (Trimble's TSIP, Garmin's link protocol L001).
  private func stuffedFrame(_ bytes: [UInt8], at start: Int) -> (length: Int, isGarmin: Bool)? {
    guard start + 4 <= bytes.count, bytes[start] == 0x10, bytes[start + 1] != 0x10, bytes[start + 1] != 0x03 else {
      return nil
    }
    var content: [UInt8] = []
    var position = start + 1
    while position + 1 < bytes.count, content.count <= 512 {
      if bytes[position] != 0x10 {
        content.append(bytes[position])
        position += 1
      } else if bytes[position + 1] == 0x10 {
        content.append(0x10)
        position += 2
      } else if bytes[position + 1] == 0x03 {
        // Identifier, length, data, and the two's complement of their sum.
        let isGarmin =
          content.count >= 3 && Int(content[1]) == content.count - 3
          && content.reduce(UInt8(0), &+) == 0
        return content.count >= 2 ? (position + 2 - start, isGarmin) : nil
      } else {
        return nil
      }
    }
    return nil
  }
}
