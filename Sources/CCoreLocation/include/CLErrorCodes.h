#pragma once

#include "CLEnumeration.h"

/// Why a request to the location service failed: `CLError.Code`.
typedef CL_OPEN_ENUM(long, __CLErrorCode) {
  /// There is no location now; the service keeps trying.
  __CLErrorCodeLocationUnknown = 0,
  /// The user denied access to the location, or to ranging.
  __CLErrorCodeDenied = 1,
  /// The network, or the server, is not available.
  __CLErrorCodeNetwork = 2,
  /// No heading can be determined.
  __CLErrorCodeHeadingFailure = 3,
  /// The user denied access to region monitoring.
  __CLErrorCodeRegionMonitoringDenied = 4,
  /// This region cannot be monitored.
  __CLErrorCodeRegionMonitoringFailure = 5,
  /// The monitoring could not be started at once.
  __CLErrorCodeRegionMonitoringSetupDelayed = 6,
  /// Events will be delayed.
  __CLErrorCodeRegionMonitoringResponseDelayed = 7,
  /// The geocoder found no result.
  __CLErrorCodeGeocodeFoundNoResult = 8,
  /// The geocoder found a partial result.
  __CLErrorCodeGeocodeFoundPartialResult = 9,
  /// The geocoder's request was canceled.
  __CLErrorCodeGeocodeCanceled = 10,
  /// Updates could not be deferred.
  __CLErrorCodeDeferredFailed = 11,
  /// Deferral requires running updates.
  __CLErrorCodeDeferredNotUpdatingLocation = 12,
  /// Deferral requires the best accuracy.
  __CLErrorCodeDeferredAccuracyTooLow = 13,
  /// Deferral does not support a distance filter.
  __CLErrorCodeDeferredDistanceFiltered = 14,
  /// The deferral was canceled, by another request or by the program.
  __CLErrorCodeDeferredCanceled = 15,
  /// Ranging is not available on this device now.
  __CLErrorCodeRangingUnavailable = 16,
  /// Ranging failed.
  __CLErrorCodeRangingFailure = 17,
  /// The user was not prompted.
  __CLErrorCodePromptDeclined = 18,
  /// Historical locations are not available.
  __CLErrorCodeHistoricalLocationError = 19
} __CLErrorCode;

/// Why location pushes are not available: `CLLocationPushServiceError.Code`.
typedef CL_OPEN_ENUM(long, __CLLocationPushServiceErrorCode) {
  /// The cause is unknown.
  __CLLocationPushServiceErrorCodeUnknown = 0,
  /// The program has no extension that receives them.
  __CLLocationPushServiceErrorCodeMissingPushExtension = 1,
  /// The program does not name a push server environment.
  __CLLocationPushServiceErrorCodeMissingPushServerEnvironment = 2,
  /// The program lacks the entitlement.
  __CLLocationPushServiceErrorCodeMissingEntitlement = 3,
  /// This platform does not support location pushes.
  __CLLocationPushServiceErrorCodeUnsupportedPlatform = 4
} __CLLocationPushServiceErrorCode;
