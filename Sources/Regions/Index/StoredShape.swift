import Geodesy

/// A circle as it was given, to the last bit, 24 bytes; of a polygon, its middle and reach.
struct StoredShape: Sendable {
  var latitudeDegrees: Double
  var longitudeDegrees: Double
  var radiusMeters: Double

  init(_ shape: RegionShape) {
    switch shape {
    case .circle(let circle): self.init(circle.center, circle.radius)
    case .polygon(let polygon): self.init(polygon.middle, polygon.reach)
    }
  }

  private init(_ place: Coordinate, _ radius: Meters) {
    (latitudeDegrees, longitudeDegrees) = (place.latitude.degrees, place.longitude.degrees)
    radiusMeters = radius.value
  }

  var center: Coordinate {
    Coordinate(latitude: Angle(degrees: latitudeDegrees), longitude: Angle(degrees: longitudeDegrees))
  }
}
