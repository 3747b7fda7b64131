import Geodesy

extension LogOptions: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, distanceFilter?.value)
    message.put(2, interval)
    message.put(3, desiredRadius68?.value)
    message.put(4, keepsStandstill)
    message.put(5, keepsSuspects)
    switch keeps {
    case .days(let count)?: message.put(6, UInt64(clamping: count))
    case .megabytes(let count)?: message.put(7, UInt64(clamping: count))
    case nil: break
    }
    message.put(8, seal)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init()
    distanceFilter = try Self.positive(fields, 1).map { Meters($0) }
    interval = try fields.duration(2)
    desiredRadius68 = try Self.positive(fields, 3).map { Meters($0) }
    keepsStandstill = try fields.flag(4) ?? false
    keepsSuspects = try fields.flag(5) ?? false
    if let days: Int = try fields.integer(6) {
      keeps = .days(days)
    } else if let megabytes: Int = try fields.integer(7) {
      keeps = .megabytes(megabytes)
    }
    seal = try fields.text(8)
    if let interval, interval < .zero {
      throw .outOfRange(field: 2, found: UInt64(bitPattern: interval.wholeNanoseconds))
    }
    if let keeps, !keeps.isAllowed { throw .outOfRange(field: 6, found: 0) }
  }

  private static func positive(_ fields: borrowing MessageFields, _ field: Int) throws(MessageError) -> Double? {
    guard let value = try fields.double(field) else { return nil }
    guard value >= 0 else { throw .outOfRange(field: field, found: value.bitPattern) }
    return value
  }
}
