#pragma once

#include "CLEnumeration.h"

/// Why a request of the location service failed: `CLError.Code`.
typedef CL_OPEN_ENUM(long, __CLErrorCode) {
  /// No location now; the service keeps trying.
  __CLErrorCodeLocationUnknown = 0,
  /// The person denied locations or ranging.
  __CLErrorCodeDenied = 1,
  /// The network, or what it leads to, is not there.
  __CLErrorCodeNetwork = 2,
  /// No heading can be determined.
  __CLErrorCodeHeadingFailure = 3,
  /// The person denied the monitoring of regions.
  __CLErrorCodeRegionMonitoringDenied = 4,
  /// This region cannot be monitored.
  __CLErrorCodeRegionMonitoringFailure = 5,
  /// The monitoring could not begin at once.
  __CLErrorCodeRegionMonitoringSetupDelayed = 6,
  /// Events will come, late.
  __CLErrorCodeRegionMonitoringResponseDelayed = 7,
  /// The geocoder knows no such place.
  __CLErrorCodeGeocodeFoundNoResult = 8,
  /// The geocoder found a part.
  __CLErrorCodeGeocodeFoundPartialResult = 9,
  /// The geocoder's request was cancelled.
  __CLErrorCodeGeocodeCanceled = 10,
  /// Updates could not be deferred.
  __CLErrorCodeDeferredFailed = 11,
  /// Deferring wants updates that run.
  __CLErrorCodeDeferredNotUpdatingLocation = 12,
  /// Deferring wants the best accuracy.
  __CLErrorCodeDeferredAccuracyTooLow = 13,
  /// Deferring knows no distance filter.
  __CLErrorCodeDeferredDistanceFiltered = 14,
  /// The deferring was called off, by a further request or by the program.
  __CLErrorCodeDeferredCanceled = 15,
  /// Beacons cannot be ranged on this device now.
  __CLErrorCodeRangingUnavailable = 16,
  /// Beacons could not be ranged.
  __CLErrorCodeRangingFailure = 17,
  /// The person was not asked.
  __CLErrorCodePromptDeclined = 18,
  /// Past locations could not be had.
  __CLErrorCodeHistoricalLocationError = 19
} __CLErrorCode;

/// Why location pushes cannot be had: `CLLocationPushServiceError.Code`.
typedef CL_OPEN_ENUM(long, __CLLocationPushServiceErrorCode) {
  /// No cause is known.
  __CLLocationPushServiceErrorCodeUnknown = 0,
  /// The program has no extension that takes them.
  __CLLocationPushServiceErrorCodeMissingPushExtension = 1,
  /// It names no server environment.
  __CLLocationPushServiceErrorCodeMissingPushServerEnvironment = 2,
  /// It is not entitled to them.
  __CLLocationPushServiceErrorCodeMissingEntitlement = 3,
  /// This platform has none.
  __CLLocationPushServiceErrorCodeUnsupportedPlatform = 4
} __CLLocationPushServiceErrorCode;
