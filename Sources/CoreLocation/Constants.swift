// Programs that only import CoreLocation use Date, UUID, NSObject, sin and CFRunLoopRun, as they can on Apple's systems; the open
// enumerations and the coordinate come from C.
@_exported public import CCoreLocation
@_exported public import CoreFoundation
@_exported public import Foundation

/// As a `distanceFilter`: every location is delivered.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// As a `headingFilter`: every heading is delivered.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

/// As a `desiredAccuracy`: the best available, whatever the power consumption.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// As a `desiredAccuracy`: the best available.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// As a `desiredAccuracy`: 10 m.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// As a `desiredAccuracy`: 100 m.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// As a `desiredAccuracy`: 1 km.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// As a `desiredAccuracy`: 3 km.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// As a `desiredAccuracy`: the accuracy of a client with reduced accuracy. Apple does not publish its value; it is above 3 km.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 6_380_000

/// As a distance: no limit, meters.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// As a time: no limit, seconds.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude

/// A coordinate that is not valid.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Whether a coordinate is valid: |latitude| ≤ 90°, |longitude| ≤ 180°, neither is NaN.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
  abs(coord.latitude) <= 90 && abs(coord.longitude) <= 180
}

/// A coordinate from degrees; north and east are positive.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}
