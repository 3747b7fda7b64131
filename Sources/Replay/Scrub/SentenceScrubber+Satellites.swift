import WireFormats

/// Sentences on satellites.
extension SentenceScrubber {
  private var talker: Talker {
    let start = sentence.address.lowerBound
    return Talker(sentence.bytes[start], sentence.bytes[start + 1])
  }

  mutating func gsa() -> Bool {
    let system = sentence.letter(17).flatMap { $0 >= 0x30 ? NMEASystem(rawValue: $0 - 0x30) : nil }
    for field in 2..<14 { renumber(field, system: system) }
    return true
  }

  mutating func gsv() -> Bool {
    var field = 3
    while field + 3 < sentence.count {
      let id = renumber(field, system: nil)
      place(id, elevation: field + 1, azimuth: field + 2)
      field += 4
    }
    return true
  }

  mutating func pubxSatellites() -> Bool {
    var field = 2
    while field + 5 < sentence.count {
      if let number = sentence.integer(field), (1...255).contains(number) {
        let id = SatelliteID(ublox: UInt8(number))
        if let id { putNumber(id, number, field) }
        place(id, elevation: field + 3, azimuth: field + 2)
      } else {
        place(nil, elevation: field + 3, azimuth: field + 2)
      }
      field += 6
    }
    return true
  }

  /// Gives the satellite in a field its other number; says which it was.
  @discardableResult
  mutating func renumber(_ field: Int, system: NMEASystem?) -> SatelliteID? {
    guard let number = sentence.integer(field), number > 0 else { return nil }
    guard let id = SatelliteID(nmea: number, talker: talker, system: system) else {
      // A number that no scheme knows becomes one of as many digits that none knows either.
      if !disguise.options.keepsSky, number > 9 {
        sentence.put([UInt8](repeating: UInt8(ascii: "9"), count: sentence.text(field).count), field)
      }
      return nil
    }
    putNumber(id, number, field)
    return id
  }

  private mutating func putNumber(_ id: SatelliteID, _ number: Int, _ field: Int) {
    let other = number + Int(disguise.satellites.number(of: id)) - Int(id.number)
    sentence.put(FixedWidth.text(Double(other), width: sentence.text(field).count, decimals: 0), field)
  }

  private mutating func place(_ id: SatelliteID?, elevation: Int, azimuth: Int) {
    let told = [(elevation, sentence.number(elevation)), (azimuth, sentence.number(azimuth))]
    guard told.contains(where: { !sentence.text($0.0).isEmpty && $0.1 != 0 }) else { return }
    guard !disguise.options.keepsSky else { return }
    let sky = id.flatMap { disguise.satellites.sky(of: $0) } ?? (45, 0)
    for (field, degrees) in [(elevation, sky.elevation), (azimuth, sky.azimuth)] where !sentence.text(field).isEmpty {
      // Where zeros are not written a field of one digit has no room for more.
      let room = [1, 10, 100, 1000][min(sentence.text(field).count, 3)]
      sentence.put(FixedWidth.text(Double(degrees % room), width: sentence.text(field).count, decimals: 0), field)
    }
  }
}
