/// A UTC time of day as receivers tell it; a leap second is second 60.
package struct TimeOfDay: Hashable, Comparable, Sendable {
  /// Hour, 0…23.
  package let hour: UInt8
  /// Minute, 0…59.
  package let minute: UInt8
  /// Second, 0…60.
  package let second: UInt8
  /// Nanosecond of the second, 0…999,999,999.
  package let nanosecond: UInt32

  /// The time, or `nil` where a part is out of range.
  package init?(hour: Int, minute: Int, second: Int, nanosecond: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
      (0...999_999_999).contains(nanosecond)
    else { return nil }
    self.hour = UInt8(hour)
    self.minute = UInt8(minute)
    self.second = UInt8(second)
    self.nanosecond = UInt32(nanosecond)
  }

  /// Nanoseconds since midnight, 0…86,400,999,999,999 (a leap second runs past the day's end).
  package var nanosecondsSinceMidnight: Int64 {
    Int64((Int(hour) * 60 + Int(minute)) * 60 + Int(second)) * 1_000_000_000 + Int64(nanosecond)
  }

  package static func < (a: TimeOfDay, b: TimeOfDay) -> Bool {
    a.nanosecondsSinceMidnight < b.nanosecondsSinceMidnight
  }
}
