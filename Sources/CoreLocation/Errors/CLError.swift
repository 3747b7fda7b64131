public import CCoreLocation
public import Foundation

// The retroactive conformance is safe: the enumeration belongs to this package, so no other module declares it.
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
/// It can be caught as `CLError.denied` or as `let error as CLError`, and inspected as an `NSError` of the domain `kCLErrorDomain`.
public struct CLError: _BridgedStoredNSError {
  /// The reason; open, so that a `switch` needs `@unknown default`.
  public typealias Code = __CLErrorCode

  /// The underlying error of Foundation.
  public let _nsError: NSError

  /// Wraps an error of this domain from Foundation.
  public init(_nsError error: NSError) { _nsError = error }

  /// `kCLErrorDomain`.
  public static var errorDomain: String { kCLErrorDomain }
  /// The same, under the name that Foundation uses.
  public static var _nsErrorDomain: String { kCLErrorDomain }

  /// A region that can be monitored better than the requested one; with `regionMonitoringResponseDelayed`.
  public var alternateRegion: CLRegion? { userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion }

  // Foundation's default implementations for such errors recurse without end.
  /// Computed from domain and code.
  public func hash(into hasher: inout Hasher) { _nsError.combine(into: &hasher) }
  /// Computed from domain and code.
  public var hashValue: Int { _nsError.hashOfDomainAndCode }
}

/// Each code as a member of the error type, for `CLError.denied`.
extension CLError {
  /// There is no location now; the service keeps trying.
  public static var locationUnknown: CLError.Code { .locationUnknown }
  /// The user denied access to the location, or to ranging.
  public static var denied: CLError.Code { .denied }
  /// The network, or the server, is not available.
  public static var network: CLError.Code { .network }
  /// No heading can be determined.
  public static var headingFailure: CLError.Code { .headingFailure }
  /// The user denied access to region monitoring.
  public static var regionMonitoringDenied: CLError.Code { .regionMonitoringDenied }
  /// This region cannot be monitored.
  public static var regionMonitoringFailure: CLError.Code { .regionMonitoringFailure }
  /// The monitoring could not be started at once.
  public static var regionMonitoringSetupDelayed: CLError.Code { .regionMonitoringSetupDelayed }
  /// Events will be delayed.
  public static var regionMonitoringResponseDelayed: CLError.Code { .regionMonitoringResponseDelayed }
  /// The geocoder found no result.
  public static var geocodeFoundNoResult: CLError.Code { .geocodeFoundNoResult }
  /// The geocoder found a partial result.
  public static var geocodeFoundPartialResult: CLError.Code { .geocodeFoundPartialResult }
  /// The geocoder's request was canceled.
  public static var geocodeCanceled: CLError.Code { .geocodeCanceled }
  /// Updates could not be deferred.
  public static var deferredFailed: CLError.Code { .deferredFailed }
  /// Deferral requires running updates.
  public static var deferredNotUpdatingLocation: CLError.Code { .deferredNotUpdatingLocation }
  /// Deferral requires the best accuracy.
  public static var deferredAccuracyTooLow: CLError.Code { .deferredAccuracyTooLow }
  /// Deferral does not support a distance filter.
  public static var deferredDistanceFiltered: CLError.Code { .deferredDistanceFiltered }
  /// The deferral was canceled, by another request or by the program.
  public static var deferredCanceled: CLError.Code { .deferredCanceled }
  /// Ranging is not available on this device now.
  public static var rangingUnavailable: CLError.Code { .rangingUnavailable }
  /// Ranging failed.
  public static var rangingFailure: CLError.Code { .rangingFailure }
  /// The user was not prompted.
  public static var promptDeclined: CLError.Code { .promptDeclined }
  /// Historical locations are not available.
  public static var historicalLocationError: CLError.Code { .historicalLocationError }
}

/// The domain of every `CLError`.
public let kCLErrorDomain = "kCLErrorDomain"
/// The user info key of an error's `alternateRegion`.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"
/// The domain of every `CLLocationPushServiceError`.
public let CLLocationPushServiceErrorDomain = "CLLocationPushServiceErrorDomain"

extension NSError {
  /// Hashes what equal errors have in common.
  func combine(into hasher: inout Hasher) {
    hasher.combine(domain)
    hasher.combine(code)
  }

  /// The same as a hash value.
  var hashOfDomainAndCode: Int {
    var hasher = Hasher()
    combine(into: &hasher)
    return hasher.finalize()
  }
}
