#pragma once

#include "CLEnumeration.h"

/// Whether a program has access to the location service.
typedef CL_OPEN_ENUM(int, CLAuthorizationStatus) {
  /// The user has not been asked yet.
  kCLAuthorizationStatusNotDetermined = 0,
  /// The program has no access, and the user cannot change that.
  kCLAuthorizationStatusRestricted = 1,
  /// The user denied access, or location services are off.
  kCLAuthorizationStatusDenied = 2,
  /// The program has access at any time.
  kCLAuthorizationStatusAuthorizedAlways = 3,
  /// The program has access while it is in use.
  kCLAuthorizationStatusAuthorizedWhenInUse = 4,
  /// The older name of `authorizedAlways`.
  kCLAuthorizationStatusAuthorized = kCLAuthorizationStatusAuthorizedAlways
} CLAuthorizationStatus;

/// The accuracy of the locations that a program receives.
typedef CL_OPEN_ENUM(long, CLAccuracyAuthorization) {
  /// The best accuracy available.
  CLAccuracyAuthorizationFullAccuracy = 0,
  /// A few kilometers, a few times an hour.
  CLAccuracyAuthorizationReducedAccuracy = 1
} CLAccuracyAuthorization;
