import Geodesy

/// Quantities that occur in many sentences.
extension FieldCursor {
  /// A time of day, hhmmss with any number of decimals.
  @_lifetime(self: copy self)
  mutating func time() -> TimeOfDay? {
    guard begin() else { return nil }
    guard has(6), let hour = twoDigits(at: position), let minute = twoDigits(at: position &+ 2),
      let second = twoDigits(at: position &+ 4)
    else { return rejected() }
    var place = position &+ 6
    var nanosecond = 0
    if bytes[place] == 0x2E {
      place &+= 1
      var weight = 100_000_000
      var digit = bytes[place] &- 0x30
      while digit <= 9 {
        nanosecond &+= Int(digit) &* weight
        weight /= 10
        place &+= 1
        digit = bytes[place] &- 0x30
      }
    }
    guard let time = TimeOfDay(hour: hour, minute: minute, second: second, nanosecond: nanosecond) else {
      return rejected()
    }
    end(at: place)
    return time
  }

  /// A date, ddmmyy, which must exist in the calendar.
  @_lifetime(self: copy self)
  mutating func date() -> TwoDigitDate? {
    guard begin() else { return nil }
    guard has(6), let day = twoDigits(at: position), let month = twoDigits(at: position &+ 2),
      let year = twoDigits(at: position &+ 4), (1...12).contains(month), day >= 1,
      // The century does not matter: 1980 … 1999 have the same Februaries as 2080 … 2099, and 2000 was a leap year.
      day <= CalendarDate.days(inMonth: month, of: 2000 &+ year)
    else { return rejected() }
    end(at: position &+ 6)
    return TwoDigitDate(day: UInt8(day), month: UInt8(month), year: UInt8(year))
  }

  /// A coordinate, (d)ddmm.mmm with the hemisphere in the next field, as 1e-9 degrees. Both fields must be present or both empty.
  @inline(__always)
  @_lifetime(self: copy self)
  private mutating func coordinate(
    degreeDigits: Int, positive: UInt8, negative: UInt8, limit: Int64
  ) -> Int64? {
    guard begin() else {
      if letter() != nil { reject() }
      return nil
    }
    let first = position
    var place = first
    var whole: Int64 = 0
    var digit = bytes[place] &- 0x30
    while digit <= 9, place &- first < 6 {
      whole = whole &* 10 &+ Int64(digit)
      place &+= 1
      digit = bytes[place] &- 0x30
    }
    // A different number of digits means that a byte was lost.
    guard place &- first == degreeDigits &+ 2 else { return rejected() }
    var decimals: Int64 = 0
    var left = 9
    if bytes[place] == 0x2E {
      place &+= 1
      digit = bytes[place] &- 0x30
      while digit <= 9, left > 0 {
        decimals = decimals &* 10 &+ Int64(digit)
        left &-= 1
        place &+= 1
        digit = bytes[place] &- 0x30
      }
      while bytes[place] &- 0x30 <= 9 { place &+= 1 }
    }
    coordinateDecimals = UInt8(truncatingIfNeeded: 9 &- left)
    let minutes = whole % 100
    let nanominutes = minutes &* 1_000_000_000 &+ decimals &* PowerOfTen.value(left)
    let nanodegrees = whole / 100 &* 1_000_000_000 &+ (nanominutes &+ 30) / 60
    end(at: place)
    guard let hemisphere = letter(), hemisphere == positive || hemisphere == negative, minutes < 60,
      nanodegrees <= limit
    else { return rejected() }
    return hemisphere == negative ? 0 &- nanodegrees : nanodegrees
  }

  @_lifetime(self: copy self)
  mutating func latitude() -> Int64? {
    coordinate(degreeDigits: 2, positive: 0x4E, negative: 0x53, limit: 90_000_000_000)
  }

  @_lifetime(self: copy self)
  mutating func longitude() -> Int64? {
    coordinate(degreeDigits: 3, positive: 0x45, negative: 0x57, limit: 180_000_000_000)
  }

  /// A course or heading in 0…360°, times 1000.
  @_lifetime(self: copy self)
  mutating func courseMillidegrees() -> Int32? {
    decimal(3, in: 0...360_000).map { Int32(truncatingIfNeeded: $0) }
  }

  /// A speed in knots, times 1000; at most 150,000 knots, ten times the speed of a satellite in a low orbit.
  @_lifetime(self: copy self)
  mutating func milliknots() -> Int32? { decimal(3, in: 0...150_000_000).map { Int32(truncatingIfNeeded: $0) } }

  /// A dilution of precision, times 100.
  @_lifetime(self: copy self)
  mutating func dilutionHundredths() -> Int32? { decimal(2, in: 0...999_999).map { Int32(truncatingIfNeeded: $0) } }

  /// A length in meters, times 1000; within ±1,000 km.
  @_lifetime(self: copy self)
  mutating func millimeters() -> Int32? {
    decimal(3, in: -1_000_000_000...1_000_000_000).map { Int32(truncatingIfNeeded: $0) }
  }

  /// An error in meters, times 1000; never negative. Receivers without a fix send arbitrary values, so the limit is high.
  @_lifetime(self: copy self)
  mutating func errorMillimeters() -> Int64? { decimal(3, in: 0...99_999_999_999_999) }

  /// A count from 0 to `limit`, at most 255.
  @_lifetime(self: copy self)
  mutating func count(upTo limit: Int = 99) -> UInt8? { integer(in: 0...limit).map { UInt8(truncatingIfNeeded: $0) } }

  @_lifetime(self: copy self)
  mutating func mode() -> PositionMode? {
    guard let letter = letter() else { return nil }
    guard let mode = PositionMode(rawValue: letter) else { return rejected() }
    return mode
  }

  /// A status field: A is active, V is not; anything else is malformed.
  @_lifetime(self: copy self)
  mutating func isActive() -> Bool {
    switch letter() {
    case 0x41?: return true
    case 0x56?: return false
    case .some, nil:
      reject()
      return false
    }
  }

  /// Checks the letter of a unit, which may be missing.
  @_lifetime(self: copy self)
  mutating func expect(_ unit: UInt8) { if let letter = letter(), letter != unit { reject() } }

  /// One hexadecimal digit, used for system and signal identifiers.
  @_lifetime(self: copy self)
  mutating func hexadecimal() -> UInt8? {
    guard let letter = letter() else { return nil }
    guard let value = HexDigit.value(of: letter) else { return rejected() }
    return value
  }

  @_lifetime(self: copy self)
  private mutating func rejected<Value>() -> Value? {
    reject()
    return nil
  }
}
