import Geodesy

/// Date and time of an epoch as UBX messages tell it: fields that are always there, and flags that say which to believe.
struct UBXTime: Sendable {
  let date: CalendarDate?
  let knowsDate: Bool
  let knowsTime: Bool
  let knowsLeapSeconds: Bool
  private let nanosecondsSinceMidnight: Int64

  init(_ epoch: SimulatedEpoch) {
    knowsTime = epoch.time != nil
    knowsDate = epoch.knowsDate && knowsTime
    knowsLeapSeconds = epoch.knowsLeapSeconds
    // What u-blox receivers say before they know: the day of their firmware.
    date = knowsDate ? epoch.time?.date : CalendarDate(year: 2015, month: 10, day: 18)
    nanosecondsSinceMidnight = epoch.time?.nanosecondsSinceMidnight ?? 0
  }

  /// Nanoseconds of the second, 0…999,999,999.
  var nanosecond: Int32 { Int32(nanosecondsSinceMidnight % 1_000_000_000) }

  /// Expected error in nanoseconds.
  var accuracy: UInt32 { knowsTime ? (knowsLeapSeconds ? 25 : 1_000_000_000) : .max }

  /// Appends year U2, month, day, hour, minute, second U1.
  func append(to message: inout UBXFrameBuilder) {
    let seconds = nanosecondsSinceMidnight / 1_000_000_000
    message.integer(UInt16(date?.year ?? 0))
    message.integer(date?.month ?? 0)
    message.integer(date?.day ?? 0)
    message.integer(UInt8(seconds / 3600))
    message.integer(UInt8(seconds / 60 % 60))
    message.integer(UInt8(seconds % 60))
  }
}
