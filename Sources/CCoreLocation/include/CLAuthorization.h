#pragma once

#include "CLEnumeration.h"

/// Whether a program may use the location service.
typedef CL_OPEN_ENUM(int, CLAuthorizationStatus) {
  /// The person has not been asked yet.
  kCLAuthorizationStatusNotDetermined = 0,
  /// It may not, and the person cannot change that.
  kCLAuthorizationStatusRestricted = 1,
  /// The person said no, or location services are off.
  kCLAuthorizationStatusDenied = 2,
  /// At any time.
  kCLAuthorizationStatusAuthorizedAlways = 3,
  /// While it is in use.
  kCLAuthorizationStatusAuthorizedWhenInUse = 4,
  /// The older name of `authorizedAlways`.
  kCLAuthorizationStatusAuthorized = kCLAuthorizationStatusAuthorizedAlways
} CLAuthorizationStatus;

/// How exact the locations are that a program may have.
typedef CL_OPEN_ENUM(long, CLAccuracyAuthorization) {
  /// As exact as can be had.
  CLAccuracyAuthorizationFullAccuracy = 0,
  /// Some kilometres, a few times an hour.
  CLAccuracyAuthorizationReducedAccuracy = 1
} CLAccuracyAuthorization;
