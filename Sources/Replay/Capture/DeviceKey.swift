/// The keys of a capture's `device` line.
enum DeviceKey: String, CaseIterable, Sendable {
  case path, usb, manufacturer, product, serial, baud

  /// The most bytes of a value: as many as four of them may take of a line when each byte is written `\xHH`.
  static let longestValue = 4000

  /// The UTF-8 of `value`, cut between characters where it is too long.
  static func bounded(_ value: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in value.unicodeScalars {
      guard bytes.count + UTF8.width(scalar) <= longestValue else { break }
      bytes += Array(String(scalar).utf8)
    }
    return bytes
  }

  /// Four hex digits, as `lsusb` prints an id.
  static func hex(_ id: UInt16) -> String {
    let digits = String(id, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
