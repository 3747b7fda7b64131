import Geodesy
import WireFormats

/// Builds one NMEA 0183 sentence, field by field.
struct NMEASentenceBuilder: Sendable {
  private var body: [UInt8]

  /// A sentence without fields; `address` is talker and type, or `P` and a maker's code.
  init(_ address: String) { body = Array(address.utf8) }

  /// The whole sentence with its checksum and end.
  var bytes: [UInt8] { NMEASentence.encode(String(decoding: body, as: UTF8.self)) }

  /// Appends a field unchanged; empty for `nil`.
  mutating func field(_ text: String?) {
    body.append(UInt8(ascii: ","))
    if let text { body += Array(text.utf8) }
  }

  /// Appends this many empty fields.
  mutating func empty(_ count: Int) {
    body += repeatElement(UInt8(ascii: ","), count: max(0, count))
  }

  /// A number with decimals; empty for `nil`.
  mutating func field(_ value: Double?, decimals: Int, width: Int = 1) {
    body.append(UInt8(ascii: ","))
    if let value { body += DecimalText.fixed(value, decimals: decimals, width: width) }
  }

  /// A whole number; empty for `nil`.
  mutating func field(_ value: Int?, width: Int = 1) {
    body.append(UInt8(ascii: ","))
    if let value { body += DecimalText.fixed(scaled: Int64(value), decimals: 0, width: width) }
  }

  /// `hhmmss.sss`.
  mutating func timeOfDay(_ time: GNSSTime?, decimals: Int) {
    body.append(UInt8(ascii: ","))
    guard let time = time.map({ Self.rounded($0, decimals: decimals) }) else { return }
    let nanoseconds = time.nanosecondsSinceMidnight
    let seconds = nanoseconds / 1_000_000_000
    body += DecimalText.fixed(scaled: seconds / 3600, decimals: 0, width: 2)
    body += DecimalText.fixed(scaled: seconds / 60 % 60, decimals: 0, width: 2)
    let unit = Self.nanoseconds(decimals: decimals)
    body += DecimalText.fixed(scaled: nanoseconds % 60_000_000_000 / unit, decimals: decimals, width: 2)
  }

  /// `ddmmyy`.
  mutating func date(_ time: GNSSTime?, decimals: Int) {
    body.append(UInt8(ascii: ","))
    guard let date = time.flatMap({ Self.rounded($0, decimals: decimals).date }) else { return }
    for part in [Int64(date.day), Int64(date.month), Int64(date.year) % 100] {
      body += DecimalText.fixed(scaled: part, decimals: 0, width: 2)
    }
  }

  /// Four fields: `ddmm.mmmm,N,dddmm.mmmm,E`; all empty for `nil`.
  mutating func coordinate(_ coordinate: Coordinate?, decimals: Int) {
    guard let coordinate else { return empty(4) }
    angle(coordinate.latitude.degrees, degreeDigits: 2, decimals: decimals)
    field(coordinate.latitude.degrees < 0 ? "S" : "N")
    angle(coordinate.longitude.degrees, degreeDigits: 3, decimals: decimals)
    field(coordinate.longitude.degrees < 0 ? "W" : "E")
  }

  /// The time as written with this many decimals: rounded before it is split into parts, so that there is never a second 60.
  static func rounded(_ time: GNSSTime, decimals: Int) -> GNSSTime {
    let unit = nanoseconds(decimals: decimals)
    let half = time.nanosecondsSince1970 &+ unit / 2
    let over = half % unit
    return GNSSTime(nanosecondsSince1970: half - (over < 0 ? over + unit : over))
  }

  private mutating func angle(_ degrees: Double, degreeDigits: Int, decimals: Int) {
    body.append(UInt8(ascii: ","))
    let unitsPerMinute = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    guard let units = Int64(exactly: (degrees.magnitude * 60 * unitsPerMinute).rounded()) else { return }
    let unitsPerDegree = Int64(unitsPerMinute) * 60
    body += DecimalText.fixed(scaled: units / unitsPerDegree, decimals: 0, width: degreeDigits)
    body += DecimalText.fixed(scaled: units % unitsPerDegree, decimals: decimals, width: 2)
  }

  private static func nanoseconds(decimals: Int) -> Int64 {
    (0..<decimals).reduce(1_000_000_000) { unit, _ in unit / 10 }
  }
}

/// Numbers as ASCII with a fixed number of decimals, without Foundation.
enum DecimalText {
  /// `value` rounded to `decimals`, its whole part padded with zeros to `width` digits; empty if the number is not representable.
  static func fixed(_ value: Double, decimals: Int, width: Int = 1) -> [UInt8] {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    guard let scaled = Int64(exactly: (value * scale).rounded()) else { return [] }
    return fixed(scaled: scaled, decimals: decimals, width: width)
  }

  /// `scaled` × 10^−`decimals`.
  static func fixed(scaled: Int64, decimals: Int, width: Int = 1) -> [UInt8] {
    var digits = Array(String(scaled.magnitude).utf8)
    let shortBy = decimals + width - digits.count
    if shortBy > 0 { digits.insert(contentsOf: repeatElement(UInt8(ascii: "0"), count: shortBy), at: 0) }
    if decimals > 0 { digits.insert(UInt8(ascii: "."), at: digits.count - decimals) }
    return scaled < 0 ? [UInt8(ascii: "-")] + digits : digits
  }
}
