package import Geodesy

/// Sentences of NMEA 0183, written field by field into bytes that are used again: writing allocates nothing once they are large enough.
package struct NMEASentenceBuffer: Sendable {
  /// All sentences since the last `removeAll`, each with its checksum and line ending.
  package private(set) var bytes: [UInt8] = []
  /// Where the current sentence begins.
  private var start = 0

  package init() {}

  /// Removes the sentences and keeps their memory.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Begins a sentence with `$`, its talker and its type.
  package mutating func begin(_ talker: String, _ type: String) {
    start = bytes.count
    bytes.append(UInt8(ascii: "$"))
    bytes.append(contentsOf: talker.utf8)
    bytes.append(contentsOf: type.utf8)
  }

  /// Ends the sentence with `*`, the XOR of the characters between `$` and `*`, and CR LF.
  package mutating func end() {
    var checksum: UInt8 = 0
    for index in (start + 1)..<bytes.count { checksum ^= bytes[index] }
    bytes.append(UInt8(ascii: "*"))
    bytes.append(Self.hexDigit(checksum >> 4))
    bytes.append(Self.hexDigit(checksum & 15))
    bytes.append(0x0D)
    bytes.append(0x0A)
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  // MARK: Fields, each after its comma

  /// A constant text.
  package mutating func field(_ text: String) {
    bytes.append(UInt8(ascii: ","))
    bytes.append(contentsOf: text.utf8)
  }

  /// Empty fields.
  package mutating func empty(_ count: Int = 1) {
    for _ in 0..<count { bytes.append(UInt8(ascii: ",")) }
  }

  /// A whole number with at least `width` digits.
  package mutating func field(_ value: Int?, width: Int = 1) {
    bytes.append(UInt8(ascii: ","))
    guard let value else { return }
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    FixedDecimal.append(Int64(clamping: value.magnitude), width: width, to: &bytes)
  }

  /// A number with at most `decimals` decimals, and at least one unless `decimals` is 0; empty if it is unknown or
  /// invalid.
  package mutating func field(_ value: Double?, decimals: Int) {
    bytes.append(UInt8(ascii: ","))
    guard let value else { return }
    FixedDecimal(value, decimals: decimals, minimum: min(1, decimals))?.append(to: &bytes)
  }

  /// A direction of 0…<360°.
  package mutating func direction(_ degrees: Double?) {
    bytes.append(UInt8(ascii: ","))
    guard let degrees else { return }
    FixedDecimal(direction: degrees, decimals: 2)?.append(to: &bytes)
  }

  /// The time of day, `hhmmss.sss`.
  package mutating func timeOfDay(_ time: Timestamp?) {
    bytes.append(UInt8(ascii: ","))
    time?.appendNMEATime(to: &bytes)
  }

  /// The date, `ddmmyy`.
  package mutating func date(_ time: Timestamp?) {
    bytes.append(UInt8(ascii: ","))
    time?.appendNMEADate(to: &bytes)
  }

  /// Four fields, `ddmm.mmmmmm,N,dddmm.mmmmmm,E`, with `decimals` decimals of a minute; empty if a number is invalid.
  package mutating func position(_ coordinate: Coordinate?, decimals: Int) {
    guard let coordinate, Self.isValid(coordinate.latitude), Self.isValid(coordinate.longitude) else {
      return empty(4)
    }
    angle(coordinate.latitude.degrees, degreeDigits: 2, decimals: decimals)
    field(coordinate.latitude.degrees < 0 ? "S" : "N")
    angle(coordinate.longitude.degrees, degreeDigits: 3, decimals: decimals)
    field(coordinate.longitude.degrees < 0 ? "W" : "E")
  }

  private static func isValid(_ angle: Angle) -> Bool { angle.degrees.isFinite && angle.degrees.magnitude <= 180 }

  /// Rounded once, as an integer of the last decimal of a minute, so that 59.9999999 minutes carry into the degrees.
  private mutating func angle(_ degrees: Double, degreeDigits: Int, decimals: Int) {
    var unitsPerMinute: Int64 = 1
    for _ in 0..<decimals { unitsPerMinute *= 10 }
    let total = Int64((degrees.magnitude * 60 * Double(unitsPerMinute)).rounded())
    let units = total % (60 * unitsPerMinute)
    bytes.append(UInt8(ascii: ","))
    FixedDecimal.append(total / (60 * unitsPerMinute), width: degreeDigits, to: &bytes)
    FixedDecimal.append(units / unitsPerMinute, width: 2, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    FixedDecimal.append(units % unitsPerMinute, width: decimals, to: &bytes)
  }
}
