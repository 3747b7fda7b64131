import CCoreLocation
import Geodesy

extension CLLocationCoordinate2D {
  /// Length of the shortest line over the WGS 84 ellipsoid, metres; not a number where a latitude or longitude is none, or a
  /// latitude lies beyond a pole. A longitude may have gone round the Earth.
  func distance(to other: CLLocationCoordinate2D) -> CLLocationDistance {
    guard let first = onEllipsoid, let second = other.onEllipsoid else { return .nan }
    return Geodesic.inverse(from: first, to: second).distance.value
  }

  private var onEllipsoid: Coordinate? {
    Coordinate(checkingLatitude: latitude, longitude: longitude.remainder(dividingBy: 360))
  }
}
