/// UBX-SEC-UNIQID (0x27 0x03): the chip's own number, five bytes in version 1, six in version 2.
package struct SecUNIQID: Hashable, Sendable {
  /// The number, the first byte highest.
  package let number: UInt64
  /// 5 or 6.
  package let byteCount: UInt8

  init?(_ payload: Span<UInt8>) {
    switch (payload.count, payload.count > 0 ? payload.u1(0) : 0) {
    case (9, 1): byteCount = 5
    case (10, 2): byteCount = 6
    default: return nil
    }
    var number: UInt64 = 0
    for index in 4..<4 + Int(byteCount) { number = number << 8 | UInt64(payload.u1(index)) }
    self.number = number
  }

  /// The number in hexadecimal.
  package var string: String {
    var digits: [UInt8] = []
    for index in (0..<Int(byteCount) * 2).reversed() {
      digits.append(HexDigit.digit(of: UInt8(number >> UInt64(index * 4) & 15)))
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
