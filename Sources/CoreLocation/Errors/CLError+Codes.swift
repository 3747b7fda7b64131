public import CCoreLocation

/// Each code as the error's own, for `CLError.denied`.
extension CLError {
  /// No location now; the service keeps trying.
  public static var locationUnknown: CLError.Code { .locationUnknown }
  /// The person denied locations or ranging.
  public static var denied: CLError.Code { .denied }
  /// The network, or what it leads to, is not there.
  public static var network: CLError.Code { .network }
  /// No heading can be determined.
  public static var headingFailure: CLError.Code { .headingFailure }
  /// The person denied the monitoring of regions.
  public static var regionMonitoringDenied: CLError.Code { .regionMonitoringDenied }
  /// This region cannot be monitored.
  public static var regionMonitoringFailure: CLError.Code { .regionMonitoringFailure }
  /// The monitoring could not begin at once.
  public static var regionMonitoringSetupDelayed: CLError.Code { .regionMonitoringSetupDelayed }
  /// Events will come, late.
  public static var regionMonitoringResponseDelayed: CLError.Code { .regionMonitoringResponseDelayed }
  /// The geocoder knows no such place.
  public static var geocodeFoundNoResult: CLError.Code { .geocodeFoundNoResult }
  /// The geocoder found a part.
  public static var geocodeFoundPartialResult: CLError.Code { .geocodeFoundPartialResult }
  /// The geocoder's request was cancelled.
  public static var geocodeCanceled: CLError.Code { .geocodeCanceled }
  /// Updates could not be deferred.
  public static var deferredFailed: CLError.Code { .deferredFailed }
  /// Deferring wants updates that run.
  public static var deferredNotUpdatingLocation: CLError.Code { .deferredNotUpdatingLocation }
  /// Deferring wants the best accuracy.
  public static var deferredAccuracyTooLow: CLError.Code { .deferredAccuracyTooLow }
  /// Deferring knows no distance filter.
  public static var deferredDistanceFiltered: CLError.Code { .deferredDistanceFiltered }
  /// The deferring was called off, by a further request or by the program.
  public static var deferredCanceled: CLError.Code { .deferredCanceled }
  /// Beacons cannot be ranged on this device now.
  public static var rangingUnavailable: CLError.Code { .rangingUnavailable }
  /// Beacons could not be ranged.
  public static var rangingFailure: CLError.Code { .rangingFailure }
  /// The person was not asked.
  public static var promptDeclined: CLError.Code { .promptDeclined }
  /// Past locations could not be had.
  public static var historicalLocationError: CLError.Code { .historicalLocationError }
}
