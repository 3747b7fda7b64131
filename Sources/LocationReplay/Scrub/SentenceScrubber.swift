import WireFormats

/// Scrubs one sentence with a correct checksum: moves what reveals a position, keeps what is harmless, and blanks the
/// rest, as well as every unknown sentence. The sentence keeps its length.
struct SentenceScrubber {
  var sentence: SentenceEditor
  var anonymization: Anonymization

  /// The sentence `frame`, from `$` to its checksum, scrubbed.
  static func scrub(_ frame: [UInt8], _ anonymization: inout Anonymization) -> [UInt8] {
    let verdict = anonymization.verdict(on: frame)
    guard verdict != .malformed else { return blanked(frame, &anonymization, marking: true) }
    var scrubber = SentenceScrubber(sentence: SentenceEditor(frame), anonymization: anonymization)
    guard scrubber.rewrite() else {
      return anonymization.options.keepsUnknown ? frame : blanked(frame, &anonymization, marking: verdict == .decoded)
    }
    let scrubbed = scrubber.sentence.finished()
    anonymization = scrubber.anonymization
    // The decoder must understand the result if it understood the original, and not otherwise.
    return anonymization.verdict(on: scrubbed) == verdict ? scrubbed : blanked(frame, &anonymization, marking: true)
  }

  private static func blanked(_ frame: [UInt8], _ anonymization: inout Anonymization, marking: Bool) -> [UInt8] {
    anonymization.tally.framesBlanked += 1
    var sentence = SentenceEditor(frame)
    sentence.blankAll(marking: marking)
    return sentence.finished()
  }

  /// Changes the fields according to the sentence's address; `false` if that is unknown.
  private mutating func rewrite() -> Bool {
    let address = String(decoding: sentence.bytes[sentence.address], as: UTF8.self)
    switch address {
    case "PUBX": return pubx()
    // Error estimates of a Garmin receiver, and of a phone.
    case "PGRME", "GPACCURACY", "GNACCURACY": return true
    // Acknowledgements, system messages and the firmware version of a MediaTek receiver.
    case "PMTK001", "PMTK010", "PMTK011", "PMTK705": return KnownText.isHarmless(sentence.bytes)
    default: break
    }
    // PQ is a talker too, so an initial P does not prove a proprietary sentence.
    guard address.utf8.count == 5, sentence.bytes[0] == UInt8(ascii: "$") else { return false }
    switch address.suffix(3) {
    case "RMC": return rmc()
    case "GGA": return gga()
    case "GNS": return gns()
    case "GLL": return gll()
    case "VTG": return vtg()
    case "GST":
      // The direction of the error ellipse's axes.
      sentence.blank(4)
      return true
    case "GBS":
      guard sentence.count > 5 else { return false }
      if renumber(4, system: nil) == nil { sentence.blank(4) }
      sentence.keepNumbers(5..<sentence.count)
      return true
    case "ZDA":
      // The local time zone.
      sentence.blank(4)
      sentence.blank(5)
      return true
    case "GSA": return gsa()
    case "GSV": return gsv()
    case "HDT", "THS", "HDM": return turnCourse(0)
    case "HDG": return hdg()
    case "DTM": return dtm()
    case "TXT": return txt()
    default: return false
    }
  }

  /// A course or heading that may be missing; `false` if the field contains something else. `speed`: the field that shows whether
  /// there is a motion with a course.
  mutating func turnCourse(_ field: Int, speed: Int? = nil) -> Bool {
    guard !sentence.text(field).isEmpty else { return true }
    guard let course = sentence.number(field), (0...360).contains(course) else {
      return false
    }
    let isMoving = speed.flatMap { sentence.number($0) }.map { $0 >= Self.slowestMotionKnots } ?? false
    sentence.putCourse(anonymization.track.turned(course, isMoving: isMoving), field)
    return true
  }

  /// A receiver that moves more slowly than this may report any course, or 0.
  private static let slowestMotionKnots = 1.0

  /// Text with which receivers describe themselves is kept; any other text may contain anything.
  private mutating func txt() -> Bool {
    guard sentence.count > 3 else { return false }
    let text = sentence.bytes[sentence.text(3).startIndex..<(sentence.bytes.count - 3)]
    guard !KnownText.contains(text), !anonymization.options.keepsUnknown else { return true }
    anonymization.tally.framesBlanked += 1
    for field in 3..<sentence.count { sentence.blankText(field) }
    return true
  }
}

/// Sentences about satellites.
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

  /// Replaces the number of the satellite in a field; returns the original satellite, or `nil` if it is unknown.
  @discardableResult
  mutating func renumber(_ field: Int, system: NMEASystem?) -> SatelliteID? {
    guard let number = sentence.integer(field), number > 0 else { return nil }
    guard let id = SatelliteID(nmea: number, talker: talker, system: system) else {
      // A number that no numbering of this talker contains becomes as many nines as it has digits, which none contains either.
      if !anonymization.options.keepsSky, number > 9 {
        sentence.put([UInt8](repeating: UInt8(ascii: "9"), count: sentence.text(field).count), field)
      }
      return nil
    }
    putNumber(id, number, field)
    return id
  }

  private mutating func putNumber(_ id: SatelliteID, _ number: Int, _ field: Int) {
    let other = number + Int(anonymization.satellites.number(of: id)) - Int(id.number)
    sentence.put(FixedWidth.text(Double(other), width: sentence.text(field).count, decimals: 0), field)
  }

  private mutating func place(_ id: SatelliteID?, elevation: Int, azimuth: Int) {
    let reported = [(elevation, sentence.number(elevation)), (azimuth, sentence.number(azimuth))]
    guard reported.contains(where: { !sentence.text($0.0).isEmpty && $0.1 != 0 }) else { return }
    guard !anonymization.options.keepsSky else { return }
    let sky = id.flatMap { anonymization.satellites.sky(of: $0) } ?? (45, 0)
    for (field, degrees) in [(elevation, sky.elevation), (azimuth, sky.azimuth)] where !sentence.text(field).isEmpty {
      // If leading zeros are not written, a field of one digit has no room for more.
      let room = [1, 10, 100, 1000][min(sentence.text(field).count, 3)]
      sentence.put(FixedWidth.text(Double(degrees % room), width: sentence.text(field).count, decimals: 0), field)
    }
  }
}
