package import Geodesy

/// The latest pulse of a PPS device, as the kernel reports it in `/sys/class/pps/ppsN/assert`.
package struct PulseReading: Hashable, Sendable {
  /// The system's clock at the edge.
  package var system: GNSSTime
  /// The number of the pulse since the device was created, which wraps at 2³².
  package var sequence: UInt32

  package init(system: GNSSTime, sequence: UInt32) {
    self.system = system
    self.sequence = sequence
  }

  /// Reads `SEC.NSEC#SEQ` (Linux, drivers/pps/sysfs.c: `%lld.%09d#%d`). `nil` for other text, and before the first pulse, whose number
  /// is 0.
  package init?(assert text: some StringProtocol) {
    let bytes = Array(text.utf8.prefix(Self.longestText + 1))
    var end = bytes.count
    while end > 0, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x20 { end -= 1 }
    guard end <= Self.longestText, let point = bytes[..<end].firstIndex(of: 0x2E),
      let mark = bytes[..<end].firstIndex(of: 0x23), mark == point + 10,
      let seconds = Self.number(bytes[..<point]), seconds < 9_000_000_000,
      let nanoseconds = Self.number(bytes[(point + 1)..<mark]),
      let sequence = Self.sequence(bytes[(mark + 1)..<end]), sequence != 0
    else { return nil }
    system = GNSSTime(nanosecondsSince1970: seconds * 1_000_000_000 + nanoseconds)
    self.sequence = sequence
  }

  /// Ten digits of seconds, nine of nanoseconds, a number of up to eleven characters.
  private static let longestText = 32

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard (1...12).contains(digits.count) else { return nil }
    var value: Int64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int64(digit - 0x30)
    }
    return value
  }

  /// The kernel counts without a sign and prints with one.
  private static func sequence(_ text: ArraySlice<UInt8>) -> UInt32? {
    let isNegative = text.first == 0x2D
    guard let value = number(isNegative ? text.dropFirst() : text) else { return nil }
    return isNegative ? Int32(exactly: -value).map { UInt32(bitPattern: $0) } : UInt32(exactly: value)
  }
}
