/// A heading from a magnetic compass: HDG, HDM or VHW (NMEA 0183 4.11, section 8.3). VHW also contains the speed through the water,
/// which is not decoded.
package struct MagneticHeadingSentence: Hashable, Sendable {
  /// 0…360,000, clockwise from magnetic north; the sensor's reading, without `deviationMillidegrees`.
  package var headingMillidegrees: Int32?
  /// What the vessel's own magnetism adds to magnetic north, from HDG only; east positive, −180,000…180,000.
  package var deviationMillidegrees: Int32?
  /// Declination at the place, from HDG only; east positive, −180,000…180,000.
  package var variationMillidegrees: Int32?
  /// 0…360,000, clockwise from true north, from VHW only.
  package var trueHeadingMillidegrees: Int32?
}

/// ROT, rate of turn (NMEA 0183 4.11, section 8.3).
package struct ROT: Hashable, Sendable {
  /// Thousandths of a degree per minute; negative: the bow turns to port.
  package var millidegreesPerMinute: Int32?
  package var isValid: Bool
}

extension SentenceDecoder {
  static func hdg(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    guard fields.remaining == 5 else { return false }
    var heading = MagneticHeadingSentence()
    heading.headingMillidegrees = fields.courseMillidegrees()
    heading.deviationMillidegrees = fields.eastPositiveMillidegrees()
    heading.variationMillidegrees = fields.eastPositiveMillidegrees()
    guard fields.isWellFormed else { return false }
    body(.nmea(.magneticHeading(heading), from: talker))
    return true
  }

  static func hdm(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    guard fields.remaining == 2 else { return false }
    let heading = MagneticHeadingSentence(headingMillidegrees: fields.courseMillidegrees())
    fields.expect(0x4D)
    guard fields.isWellFormed else { return false }
    body(.nmea(.magneticHeading(heading), from: talker))
    return true
  }

  /// Two headings with their letters, then two speeds with theirs.
  static func vhw(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    guard fields.remaining == 8 else { return false }
    var heading = MagneticHeadingSentence()
    heading.trueHeadingMillidegrees = fields.courseMillidegrees()
    fields.expect(0x54)
    heading.headingMillidegrees = fields.courseMillidegrees()
    fields.expect(0x4D)
    _ = fields.milliknots()
    fields.expect(0x4E)
    _ = fields.milliknots()
    fields.expect(0x4B)
    guard fields.isWellFormed else { return false }
    body(.nmea(.magneticHeading(heading), from: talker))
    return true
  }

  static func rot(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    let rate = fields.decimal(3, in: -100_000_000...100_000_000).map { Int32(truncatingIfNeeded: $0) }
    guard let status = fields.letter(), status == 0x41 || status == 0x56, fields.isWellFormed else { return false }
    body(.nmea(.rateOfTurn(ROT(millidegreesPerMinute: rate, isValid: status == 0x41)), from: talker))
    return true
  }
}

extension FieldCursor {
  /// An angle of up to 180° in thousandths of a degree, and the letter E or W after it; west is negative. `nil` if the angle is
  /// missing.
  @_lifetime(self: copy self)
  fileprivate mutating func eastPositiveMillidegrees() -> Int32? {
    let angle = decimal(3, in: 0...180_000).map { Int32(truncatingIfNeeded: $0) }
    switch letter() {
    case nil: return nil
    case 0x45: return angle
    case 0x57: return angle.map { -$0 }
    default:
      reject()
      return nil
    }
  }
}
