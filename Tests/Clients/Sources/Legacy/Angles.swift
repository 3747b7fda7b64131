import class CoreLocation.CLLocation
import struct CoreLocation.CLLocationCoordinate2D
import typealias CoreLocation.CLLocationDegrees
import enum CoreLocation.CLRegionState

/// Scoped imports.
func middle(_ a: CLLocationCoordinate2D, _ b: CLLocationCoordinate2D) -> CLLocationCoordinate2D {
  let latitude: CLLocationDegrees = (a.latitude + b.latitude) / 2
  return CLLocationCoordinate2D(latitude: latitude, longitude: (a.longitude + b.longitude) / 2)
}

func word(_ state: CLRegionState) -> String {
  switch state {
  case .unknown: return "unknown"
  case .inside: return "inside"
  case .outside: return "outside"
  }
}

func isSame(_ a: CLLocation, _ b: CLLocation) -> Bool { a.distance(from: b) == 0 }
