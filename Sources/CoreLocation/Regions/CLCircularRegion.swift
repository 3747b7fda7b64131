public import CCoreLocation
public import Foundation

/// A circle around a place.
open class CLCircularRegion: CLRegion {
  /// Creates a circle; the radius in meters.
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    super.init(identifier: identifier, circle: RegionCircle(center: center, radius: radius))
  }

  /// A circle of radius 0 at latitude 0, longitude 0, without a name, as with Apple's inherited initializer.
  public override init() {
    super.init(identifier: "", circle: RegionCircle(center: CLLocationCoordinate2D(), radius: 0))
  }

  /// The older form of `init(center:radius:identifier:)`.
  @available(iOS, introduced: 4.0, deprecated: 7.0, message: "Use init(center:radius:identifier:).")
  public override init(
    circularRegionWithCenter center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String
  ) {
    super.init(identifier: identifier, circle: RegionCircle(center: center, radius: radius))
  }

  /// Reads an archive; `nil` if it holds no circle.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    guard kind == .circle else { return nil }
  }

  /// The center, degrees.
  open override var center: CLLocationCoordinate2D { super.center }
  /// The radius, meters.
  open override var radius: CLLocationDistance { super.radius }
  /// Whether a place lies in the circle or on its border, over the ellipsoid.
  open override func contains(_ coordinate: CLLocationCoordinate2D) -> Bool { super.contains(coordinate) }

  /// A separate region with the same values.
  open override func copy(with zone: NSZone? = nil) -> Any {
    copyingFlags(to: CLCircularRegion(center: center, radius: radius, identifier: identifier))
  }
}

/// A circle on the ellipsoid.
struct RegionCircle: Sendable {
  /// Degrees.
  var center: CLLocationCoordinate2D
  /// Meters.
  var radius: CLLocationDistance

  /// Whether a place lies in the circle or on its border; `false` for a coordinate that is not valid.
  func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    guard CLLocationCoordinate2DIsValid(coordinate) else { return false }
    return center.distance(to: coordinate) <= radius
  }
}
