public import CCoreLocation
public import Foundation

// The enumeration is this package's own: nobody else can declare this.
extension __CLErrorCode: @retroactive _ErrorCodeProtocol {
  /// The error that has this code.
  public typealias _ErrorType = CLError

  /// Matches a `CLError` with this code, and an `NSError` with this code and Core Location's domain.
  public static func ~= (match: Self, error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == kCLErrorDomain && error.code == match.rawValue
  }
}

/// An error of the location service.
///
/// It can be caught as `CLError.denied`, as `let error as CLError`, and looked at as an `NSError` of the domain
/// `kCLErrorDomain`.
public struct CLError: _BridgedStoredNSError {
  /// Why; open, so that a `switch` wants `@unknown default`.
  public typealias Code = __CLErrorCode

  /// The error as Foundation has it.
  public let _nsError: NSError

  /// An error of this domain from Foundation's.
  public init(_nsError error: NSError) { _nsError = error }

  /// `kCLErrorDomain`.
  public static var errorDomain: String { kCLErrorDomain }
  /// The same, as Foundation asks for it.
  public static var _nsErrorDomain: String { kCLErrorDomain }

  /// A region that can be monitored better than the one asked for; with `regionMonitoringResponseDelayed`.
  public var alternateRegion: CLRegion? { userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion }

  // What Foundation gives to all such errors calls itself for ever.
  /// From domain and code.
  public func hash(into hasher: inout Hasher) { _nsError.combine(into: &hasher) }
  /// From domain and code.
  public var hashValue: Int { _nsError.hashOfDomainAndCode }
}

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

/// The domain of every `CLError`.
public let kCLErrorDomain = "kCLErrorDomain"
/// Where an error's user info has its `alternateRegion`.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"
/// The domain of every `CLLocationPushServiceError`.
public let CLLocationPushServiceErrorDomain = "CLLocationPushServiceErrorDomain"

extension NSError {
  /// What two equal errors have in common.
  func combine(into hasher: inout Hasher) {
    hasher.combine(domain)
    hasher.combine(code)
  }

  /// The same as a value.
  var hashOfDomainAndCode: Int {
    var hasher = Hasher()
    combine(into: &hasher)
    return hasher.finalize()
  }
}
