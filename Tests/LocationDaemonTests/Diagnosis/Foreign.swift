import WireFormats

/// Frames of unsupported protocols, and of u-blox's front end, built from their specifications.
enum Foreign {
  /// SiRF: A0 A2, length, payload, sum in 15 bits, B0 B3. Message 41, shortened.
  static var sirf: [UInt8] {
    let payload = [UInt8(41)] + (1...30).map { UInt8($0) }
    let sum = payload.reduce(0) { ($0 + Int($1)) & 0x7FFF }
    let frame = [0xA0, 0xA2, 0, UInt8(payload.count)] + payload + [UInt8(sum >> 8), UInt8(sum & 0xFF), 0xB0, 0xB3]
    return frame + frame
  }

  /// TSIP: 10, identifier, data, 10 03. Superpacket 8F-20, shortened.
  static var trimble: [UInt8] {
    let frame: [UInt8] = [0x10, 0x8F, 0x20, 1, 2, 3, 0x10, 0x10, 5, 6, 0x10, 0x03]
    return frame + frame
  }

  /// Garmin's link protocol: 10, identifier, length, data, two's complement of the sum, 10 03. PVT, shortened.
  static var garmin: [UInt8] {
    let content: [UInt8] = [51, 6, 1, 2, 3, 4, 5, 6]
    let frame = [0x10] + content + [0 &- content.reduce(0, &+), 0x10, 0x03]
    return frame + frame
  }

  /// SkyTraq: A0 A1, length, payload, exclusive or, 0D 0A.
  static var skytraq: [UInt8] {
    let payload: [UInt8] = [0xA8, 2, 7, 9, 11, 13]
    let frame = [0xA0, 0xA1, 0, UInt8(payload.count)] + payload + [payload.reduce(0, ^), 0x0D, 0x0A]
    return frame + frame
  }

  /// MTK binary: 04 24, total length, command, data, checksum, 0D 0A.
  static var mediatek: [UInt8] {
    let frame: [UInt8] = [0x04, 0x24, 14, 0, 0xFD, 0, 1, 2, 3, 4, 5, 0xF0, 0x0D, 0x0A]
    return frame + frame
  }

  /// SBF: "$@", CRC, identifier, length, time, data.
  static var septentrio: [UInt8] {
    let frame: [UInt8] = [0x24, 0x40, 0x11, 0x22, 0xA7, 0x0F, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    return frame + frame + frame
  }

  /// NovAtel: AA 44 12, header of 28 bytes, message, CRC.
  static var novatel: [UInt8] {
    let header: [UInt8] = [0xAA, 0x44, 0x12, 28, 42, 0, 0, 0x20, 8, 0] + Array(repeating: 1, count: 18)
    let frame = header + [1, 2, 3, 4, 5, 6, 7, 8] + [9, 9, 9, 9]
    return frame + frame
  }

  /// CASIC: BA CE, length, class and identifier, payload, and a checksum: the sum of the payload's words and the
  /// header.
  static var casic: [UInt8] {
    let frame: [UInt8] = [0xBA, 0xCE, 4, 0, 1, 3, 1, 2, 3, 4, 5, 2, 4, 7]
    return frame + frame
  }

  /// RTCM 3, with its CRC computed by division.
  static var rtcm: [UInt8] {
    let message: [UInt8] = [0xD3, 0, 19] + (0..<19).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    var remainder: UInt64 = 0
    for bit in (message + [0, 0, 0]).flatMap({ byte in (0..<8).reversed().map { UInt64(byte >> UInt8($0) & 1) } }) {
      remainder = remainder << 1 | bit
      if remainder >> 24 == 1 { remainder ^= 0x186_4CFB }
    }
    return message + [UInt8(remainder >> 16 & 0xFF), UInt8(remainder >> 8 & 0xFF), UInt8(remainder & 0xFF)]
  }

  /// UBX-MON-HW of u-blox 8: 60 bytes, antenna at 20, flags at 22.
  static func monHW(antenna: UInt8 = 2, jamming: UInt8 = 1) -> [UInt8] {
    var payload = [UInt8](repeating: 0, count: 60)
    payload[20] = antenna
    payload[22] = jamming << 2
    return UBXFrame.encode(class: 0x0A, id: 0x09, payload: payload)
  }

  /// UBX-MON-RF with two bands, with the fault in the second one.
  static func monRF(antenna: UInt8, jamming: UInt8) -> [UInt8] {
    var payload = [UInt8](repeating: 0, count: 4 + 48)
    payload[1] = 2
    payload[4 + 2] = 2
    payload[28 + 1] = jamming
    payload[28 + 2] = antenna
    return UBXFrame.encode(class: 0x0A, id: 0x38, payload: payload)
  }

  /// UBX-NAV-STATUS with a 3D fix.
  static func navSTATUS(spoofing: UInt8) -> [UInt8] {
    var payload = [UInt8](repeating: 0, count: 16)
    payload[4] = 3
    payload[5] = 1
    payload[7] = spoofing << 3
    return UBXFrame.encode(class: 0x01, id: 0x03, payload: payload)
  }
}
