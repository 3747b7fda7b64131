#pragma once

/// Latitude, longitude or a heading's filter, degrees.
typedef double CLLocationDegrees;
/// A radius of uncertainty, metres; negative: not valid. Also what a client desires of it.
typedef double CLLocationAccuracy;
/// Metres per second; negative: not valid.
typedef double CLLocationSpeed;
/// Accuracy of a speed, metres per second; negative: not valid.
typedef double CLLocationSpeedAccuracy;
/// Degrees clockwise from north, 0 to below 360; negative: not valid.
typedef double CLLocationDirection;
/// Accuracy of a direction, degrees; negative: not valid.
typedef double CLLocationDirectionAccuracy;
/// Metres.
typedef double CLLocationDistance;
/// A component of the magnetic field, microtesla.
typedef double CLHeadingComponentValue;
/// The more significant of the two numbers by which a beacon is told from its siblings.
typedef unsigned short CLBeaconMajorValue;
/// The less significant of these numbers.
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

/// Conditions (`CLMonitor`) are there.
#define CL_TARGET_SUPPORTS_CONDITIONS 1
