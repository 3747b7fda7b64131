/// The units of lengths and speeds.
public enum MapUnits: String, CaseIterable, Hashable, Sendable {
  case metric, imperial, nautical

  private static let foot = 0.3048
  private static let mile = 1609.344
  private static let nauticalMile = 1852.0

  /// The larger unit, the smaller one, and the meters of each.
  private var lengths: (large: (name: String, meters: Double), small: (name: String, meters: Double)) {
    switch self {
    case .metric: (("km", 1000), ("m", 1))
    case .imperial: (("mi", Self.mile), ("ft", Self.foot))
    case .nautical: (("NM", Self.nauticalMile), ("m", 1))
    }
  }

  /// The unit of speed, and its meters per second.
  package var speed: (name: String, metersPerSecond: Double) {
    switch self {
    case .metric: ("km/h", 1000 / 3600)
    case .imperial: ("mph", Self.mile / 3600)
    case .nautical: ("kn", Self.nauticalMile / 3600)
    }
  }

  /// The longest length of the form 1, 2 or 5 times a power of ten that is at most `meters`, and its text; `nil` if `meters` is not above zero.
  func scale(upTo meters: Double) -> (meters: Double, text: String)? {
    guard meters.isFinite, meters > 0 else { return nil }
    let (large, small) = lengths
    let leastLarge = self == .nautical ? 0.2 : 1.0
    let unit = meters >= large.meters * leastLarge ? large : small
    let room = meters / unit.meters
    var step = 1e-3
    while step * 10 <= room { step *= 10 }
    let number = step * (room >= step * 5 ? 5 : room >= step * 2 ? 2 : 1)
    return (number * unit.meters, "\(Self.text(number)) \(unit.name)")
  }

  /// A length for people: two or three digits.
  package func text(meters: Double) -> String {
    let (large, small) = lengths
    guard meters.isFinite else { return "" }
    let isLarge = meters.magnitude >= large.meters * (self == .imperial ? 0.25 : 1)
    let number = meters / (isLarge ? large.meters : small.meters)
    return "\(Self.text(isLarge && number < 100 ? (number * 10).rounded() / 10 : number.rounded())) "
      + (isLarge ? large.name : small.name)
  }

  /// Without trailing zeros, at most three decimals.
  package static func text(_ number: Double) -> String {
    let thousandths = Int64((min(max(number, -1e12), 1e12) * 1000).rounded())
    let whole = thousandths.magnitude / 1000
    var digits = String(thousandths.magnitude % 1000 + 1000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return (thousandths < 0 ? "-" : "") + String(whole) + (digits.isEmpty ? "" : "." + digits)
  }
}
