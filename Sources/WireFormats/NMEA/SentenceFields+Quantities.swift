import Geodesy

/// The quantities that many sentences share.
extension SentenceFields {
  /// hhmmss with any number of decimals.
  @_lifetime(self: copy self)
  mutating func time(_ index: Int) -> TimeOfDay? {
    guard has(index) else { return nil }
    let lower = lower(index)
    let upper = upper(index)
    guard upper - lower >= 6, let hour = twoDigits(lower), let minute = twoDigits(lower + 2),
      let second = twoDigits(lower + 4), let nanosecond = fraction(lower + 6, upper),
      let time = TimeOfDay(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    else {
      reject()
      return nil
    }
    return time
  }

  /// ddmmyy.
  @_lifetime(self: copy self)
  mutating func date(_ index: Int) -> TwoDigitDate? {
    guard has(index) else { return nil }
    let lower = lower(index)
    guard upper(index) - lower == 6, let day = twoDigits(lower), let month = twoDigits(lower + 2),
      let year = twoDigits(lower + 4), (1...31).contains(day), (1...12).contains(month)
    else {
      reject()
      return nil
    }
    return TwoDigitDate(day: UInt8(day), month: UInt8(month), year: UInt8(year))
  }

  /// (d)ddmm.mmm and its hemisphere in the next field, as 1e-9 degrees. Both or neither.
  @_lifetime(self: copy self)
  mutating func coordinate(
    _ index: Int, degreeDigits: Int, positive: UInt8, negative: UInt8, limit: Int64
  ) -> Int64? {
    guard has(index) || has(index + 1) else { return nil }
    guard has(index), let hemisphere = letter(index + 1), hemisphere == positive || hemisphere == negative else {
      reject()
      return nil
    }
    let lower = lower(index)
    let upper = upper(index)
    guard upper - lower >= degreeDigits + 2, let degrees = SentenceFields.decimal(bytes, lower, lower + degreeDigits, decimals: 0),
      degrees >= 0, let minutes = SentenceFields.decimal(bytes, lower + degreeDigits, upper, decimals: 9),
      minutes >= 0, minutes < 60_000_000_000
    else {
      reject()
      return nil
    }
    let nanodegrees = degrees * 1_000_000_000 + (minutes + 30) / 60
    guard nanodegrees <= limit else {
      reject()
      return nil
    }
    return hemisphere == negative ? -nanodegrees : nanodegrees
  }

  @_lifetime(self: copy self)
  mutating func latitude(_ index: Int) -> Int64? {
    coordinate(
      index, degreeDigits: 2, positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"), limit: 90_000_000_000)
  }

  @_lifetime(self: copy self)
  mutating func longitude(_ index: Int) -> Int64? {
    coordinate(
      index, degreeDigits: 3, positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"), limit: 180_000_000_000)
  }

  /// A course or heading in 0…360°, times 1000.
  @_lifetime(self: copy self)
  mutating func courseMillidegrees(_ index: Int) -> Int32? {
    decimal(index, decimals: 3, in: 0...360_000).map(Int32.init)
  }

  /// A speed in knots, times 1000; up to ten times the speed of a satellite.
  @_lifetime(self: copy self)
  mutating func milliknots(_ index: Int) -> Int32? {
    decimal(index, decimals: 3, in: 0...150_000_000).map(Int32.init)
  }

  /// A dilution of precision, times 100.
  @_lifetime(self: copy self)
  mutating func dilutionHundredths(_ index: Int) -> Int32? {
    decimal(index, decimals: 2, in: 0...999_999).map(Int32.init)
  }

  /// A length in metres, times 1000; within ±1,000 km.
  @_lifetime(self: copy self)
  mutating func millimeters(_ index: Int) -> Int64? {
    decimal(index, decimals: 3, in: -1_000_000_000...1_000_000_000)
  }

  /// An error in metres, times 1000; never negative. Receivers without a fix tell figures without bounds.
  @_lifetime(self: copy self)
  mutating func errorMillimeters(_ index: Int) -> Int64? {
    decimal(index, decimals: 3, in: 0...100_000_000_000_000)
  }

  @_lifetime(self: copy self)
  mutating func mode(_ index: Int) -> PositionMode? {
    guard let letter = letter(index) else { return nil }
    guard let mode = PositionMode(rawValue: letter) else {
      reject()
      return nil
    }
    return mode
  }

  /// Unit letter `M`, which may be missing.
  @_lifetime(self: copy self)
  mutating func expectMeters(_ index: Int) {
    if let unit = letter(index), unit != UInt8(ascii: "M") { reject() }
  }

  private func twoDigits(_ position: Int) -> Int? {
    let tens = bytes[position] &- 0x30
    let units = bytes[position + 1] &- 0x30
    guard tens <= 9, units <= 9 else { return nil }
    return Int(tens) * 10 + Int(units)
  }

  /// The decimals of a second, as nanoseconds.
  private func fraction(_ lower: Int, _ upper: Int) -> Int? {
    guard lower < upper else { return 0 }
    guard bytes[lower] == UInt8(ascii: ".") else { return nil }
    var nanoseconds = 0
    var weight = 100_000_000
    var position = lower + 1
    while position < upper {
      let digit = bytes[position] &- 0x30
      guard digit <= 9 else { return nil }
      nanoseconds &+= Int(digit) &* weight
      weight /= 10
      position &+= 1
    }
    return nanoseconds
  }
}
