import CCoreLocation
import Geodesy
import Regions

extension Region {
  /// A region of Apple's as the service takes it; `nil`: it is no circle of the earth, or its name is too long.
  init?(_ region: CLRegion) {
    guard let circle = region.shape, let shape = CircleShape(circle.center, circle.radius) else { return nil }
    try? self.init(
      identifier: region.identifier, shape: .circle(shape), notifiesOnEntry: region.notifyOnEntry,
      notifiesOnExit: region.notifyOnExit)
  }
}

extension CircleShape {
  /// `nil`: there is no such circle.
  init?(_ center: CLLocationCoordinate2D, _ radius: CLLocationDistance) {
    guard let middle = Coordinate(checkingLatitude: center.latitude, longitude: center.longitude) else { return nil }
    try? self.init(center: middle, radius: Meters(radius))
  }
}

extension CLRegion {
  /// A region of the service's: an object of its own each time.
  static func made(of region: Region) -> CLRegion {
    let made: CLRegion
    switch region.shape {
    case .circle(let circle):
      made = CLCircularRegion(
        center: CLLocationCoordinate2D(circle.center), radius: circle.radius.value, identifier: region.identifier)
    // Nothing of Apple's has corners.
    case .polygon: made = CLRegion(identifier: region.identifier, circle: nil)
    }
    made.notifyOnEntry = region.notifiesOnEntry
    made.notifyOnExit = region.notifiesOnExit
    return made
  }
}

extension CLRegionState {
  init(_ state: RegionState) {
    switch state {
    case .unknown: self = .unknown
    case .inside: self = .inside
    case .outside: self = .outside
    }
  }
}

extension CLLocationCoordinate2D {
  init(_ place: Coordinate) { self.init(latitude: place.latitude.degrees, longitude: place.longitude.degrees) }
}
