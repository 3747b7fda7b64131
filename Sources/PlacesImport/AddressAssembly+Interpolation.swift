import LocationDatabase
import PlacesCore

/// Rows of houses of which only the first and the last have a number (wiki.openstreetmap.org/wiki/Addresses, "Using interpolation").
extension AddressAssembly {
  /// The most houses between two numbers.
  private static let mostHouses = 500

  mutating func interpolate() throws(DatabaseError) {
    guard try hasRows("SELECT 1 FROM t_interpolation LIMIT 1") else { return }
    try interpolateRows()
  }

  /// The numbers between two, without them; empty if they do not fit.
  static func numbers(from first: String, to last: String, step: String) -> [String] {
    guard let low = Int(first.prefix { $0.isASCII && $0.isNumber }),
      let high = Int(last.prefix { $0.isASCII && $0.isNumber }),
      low != high, abs(high - low) <= 2 * mostHouses
    else { return [] }
    let distance: Int
    switch step {
    case "odd", "even":
      guard low % 2 == high % 2 else { return [] }
      distance = 2
    case "all": distance = 1
    default:
      guard let number = Int(step), (1...100).contains(number) else { return [] }
      distance = number
    }
    let direction = high > low ? distance : -distance
    let numbers = stride(from: low + direction, to: high, by: direction)
    return Array(numbers.prefix(mostHouses)).map { String($0) }
  }
}
