import Geodesy

/// Sentences with a position, a height or a motion.
extension SentenceScrubber {
  mutating func rmc() -> Bool {
    move(2, isFix: sentence.letter(1) == UInt8(ascii: "A"))
    // Magnetic variation reveals a position.
    sentence.blank(9)
    sentence.put(letter: UInt8(ascii: "E"), 10)
    return turnCourse(7, speed: 6)
  }

  mutating func gga() -> Bool {
    let isFix = sentence.letter(5) != UInt8(ascii: "0")
    move(1, isFix: isFix)
    shiftHeight(8, separation: 10, isFix: isFix)
    corrections(age: 12, station: 13)
    return true
  }

  mutating func gns() -> Bool {
    let isFix = sentence.text(5).contains { $0 != UInt8(ascii: "N") }
    move(1, isFix: isFix)
    shiftHeight(8, separation: 9, isFix: isFix)
    corrections(age: 10, station: 11)
    return true
  }

  /// Keeps the age of the corrections, and blanks the number of the station that sent them, which is nearby.
  private mutating func corrections(age: Int, station: Int) {
    sentence.blank(station)
    sentence.keepNumbers(age..<(age + 1), longest: 6)
  }

  mutating func gll() -> Bool {
    move(0, isFix: sentence.letter(5) == UInt8(ascii: "A"))
    return true
  }

  mutating func vtg() -> Bool {
    guard turnCourse(0, speed: sentence.count == 4 ? 2 : 4) else { return false }
    if sentence.count > 4 {
      sentence.put(letter: UInt8(ascii: "M"), 3)
      sentence.keepNumbers(6..<7)
      sentence.put(letter: UInt8(ascii: "K"), 7)
    }
    // The variation could be computed from the magnetic course, so this field gets the true course.
    let magnetic = sentence.count == 4 ? 1 : 2
    if let course = sentence.number(0), !sentence.text(magnetic).isEmpty {
      sentence.putCourse(course, magnetic)
    } else {
      sentence.blank(magnetic)
    }
    return true
  }

  mutating func hdg() -> Bool {
    for field in [1, 3] { sentence.blank(field) }
    for field in [2, 4] { sentence.put(letter: UInt8(ascii: "E"), field) }
    return sentence.count == 5 && turnCourse(0)
  }

  /// The datum, which may be a country's, becomes WGS 84 without an offset.
  mutating func dtm() -> Bool {
    guard sentence.count == 8 else { return false }
    for field in [0, 7] where !sentence.text(field).isEmpty {
      if sentence.text(field).count == 3 { sentence.put(Array("W84".utf8), field) } else { sentence.blank(field) }
    }
    for field in [1, 2, 4, 6] { sentence.blank(field) }
    sentence.put(letter: UInt8(ascii: "N"), 3)
    sentence.put(letter: UInt8(ascii: "E"), 5)
    return true
  }

  mutating func pubx() -> Bool {
    switch sentence.integer(0) {
    case 0:
      let status = sentence.text(7)
      let isFix = !status.elementsEqual("NF".utf8) && !status.elementsEqual("TT".utf8)
      move(2, isFix: isFix)
      if !sentence.text(6).isEmpty {
        let height = sentence.number(6).flatMap { anonymization.heights.aboveEllipsoid($0, isFix: isFix) }
        if let height { sentence.put(height, 6) } else { sentence.blank(6) }
      }
      sentence.keepNumbers(12..<14)
      sentence.keepNumbers(16..<20)
      return sentence.count == 20 && turnCourse(11, speed: 10)
    case 3: return pubxSatellites()
    case 4:
      sentence.keepNumbers(3..<5, longest: 10)
      sentence.keepNumbers(6..<9, longest: 10)
      return sentence.count == 9
    default: return false
    }
  }

  /// Moves the position in a field and the three that follow.
  private mutating func move(_ field: Int, isFix: Bool) {
    guard !sentence.text(field).isEmpty || !sentence.text(field + 2).isEmpty else { return }
    guard let latitude = NMEAAngle.read(sentence.text(field)), let longitude = NMEAAngle.read(sentence.text(field + 2)),
      let place = Coordinate(
        checkingLatitude: sentence.letter(field + 1) == UInt8(ascii: "S") ? -latitude : latitude,
        longitude: sentence.letter(field + 3) == UInt8(ascii: "W") ? -longitude : longitude),
      let moved = anonymization.track.move(
        place, step: NMEAAngle.step(decimals: min(sentence.decimals(field), sentence.decimals(field + 2))), isFix: isFix
      )
    else {
      for numeric in [field, field + 2] { sentence.blank(numeric) }
      sentence.put(letter: UInt8(ascii: "N"), field + 1)
      sentence.put(letter: UInt8(ascii: "E"), field + 3)
      return
    }
    anonymization.tally.positionsMoved += 1
    put(moved.latitude.degrees, field, degreeDigits: 2, letters: "NS")
    put(moved.longitude.degrees, field + 2, degreeDigits: 3, letters: "EW")
  }

  private mutating func put(_ degrees: Double, _ field: Int, degreeDigits: Int, letters: StaticString) {
    sentence.put(
      NMEAAngle.text(
        degrees.magnitude, degreeDigits: degreeDigits, width: sentence.text(field).count,
        decimals: sentence.decimals(field)), field)
    sentence.put(letter: letters.description.utf8.dropFirst(degrees < 0 ? 1 : 0).first ?? 0, field + 1)
  }

  private mutating func shiftHeight(_ field: Int, separation: Int, isFix: Bool) {
    if !sentence.text(field).isEmpty {
      let height = sentence.number(field).flatMap {
        anonymization.heights.aboveSeaLevel($0, separation: sentence.number(separation), isFix: isFix)
      }
      if let height { sentence.put(height, field) } else { sentence.blank(field) }
    }
    if !sentence.text(separation).isEmpty { sentence.put(anonymization.heights.separation, separation) }
  }
}
