import CoreLocation

extension CLLocationCoordinate2D: @retroactive Equatable, @retroactive Hashable, @retroactive Codable {
  /// Compares both numbers.
  public static func == (a: Self, b: Self) -> Bool { a.latitude == b.latitude && a.longitude == b.longitude }

  /// Hashes both numbers.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(latitude)
    hasher.combine(longitude)
  }

  /// Reads two numbers.
  public init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    self.init(latitude: try values.decode(Double.self), longitude: try values.decode(Double.self))
  }

  /// Writes two numbers.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(latitude)
    try values.encode(longitude)
  }
}
