public import CCoreLocation

extension CLMonitor {
  /// The device is within a circle.
  public struct CircularGeographicCondition: CLCondition {
    /// The middle, degrees.
    public let center: CLLocationCoordinate2D
    /// Metres.
    public let radius: CLLocationDistance

    /// Within `radius` metres of `center`.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
      self.center = center
      self.radius = radius
    }

    private enum CodingKeys: CodingKey { case latitude, longitude, radius }

    /// Reads it.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      center = CLLocationCoordinate2D(
        latitude: try values.decode(Double.self, forKey: .latitude),
        longitude: try values.decode(Double.self, forKey: .longitude))
      radius = try values.decode(Double.self, forKey: .radius)
    }

    /// Writes it.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(center.latitude, forKey: .latitude)
      try values.encode(center.longitude, forKey: .longitude)
      try values.encode(radius, forKey: .radius)
    }
  }
}
