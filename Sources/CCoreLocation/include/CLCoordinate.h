#pragma once

/// Latitude, longitude or a heading filter, degrees.
typedef double CLLocationDegrees;
/// A radius of uncertainty, meters; negative: not valid. Also the accuracy that a client requests.
typedef double CLLocationAccuracy;
/// Meters per second; negative: not valid.
typedef double CLLocationSpeed;
/// Accuracy of a speed, meters per second; negative: not valid.
typedef double CLLocationSpeedAccuracy;
/// Degrees clockwise from north, 0 to below 360; negative: not valid.
typedef double CLLocationDirection;
/// Accuracy of a direction, degrees; negative: not valid.
typedef double CLLocationDirectionAccuracy;
/// Meters.
typedef double CLLocationDistance;
/// A component of the magnetic field, microtesla.
typedef double CLHeadingComponentValue;
/// The more significant of the two numbers that distinguish a beacon from other beacons with the same UUID.
typedef unsigned short CLBeaconMajorValue;
/// The less significant of the two numbers.
typedef unsigned short CLBeaconMinorValue;

/// A position on the WGS 84 ellipsoid. It is neither Equatable nor Hashable nor Codable, as on Apple's systems: packages add
/// these conformances themselves.
struct CLLocationCoordinate2D {
  /// Degrees, north positive.
  CLLocationDegrees latitude;
  /// Degrees, east positive.
  CLLocationDegrees longitude;
};
typedef struct CLLocationCoordinate2D CLLocationCoordinate2D;

/// Conditions (`CLMonitor`) are supported.
#define CL_TARGET_SUPPORTS_CONDITIONS 1
