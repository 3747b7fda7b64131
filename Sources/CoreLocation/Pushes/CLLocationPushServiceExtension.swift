public import CCoreLocation
public import Foundation

/// The part of a program that handles location pushes; it implements one of the two forms of the first method.
public protocol CLLocationPushServiceExtension: NSObjectProtocol {
  /// A push has arrived; call the completion handler when it has been handled.
  func didReceiveLocationPushPayload(_ payload: [String: Any], completion: @escaping () -> Void)
  /// A push has arrived.
  func didReceiveLocationPushPayload(_ payload: [String: Any]) async
  /// The time limit is about to expire. Optional.
  func serviceExtensionWillTerminate()
}

/// Default implementations of the methods that a class lacks. The system calls the asynchronous form.
extension CLLocationPushServiceExtension {
  /// Only calls the completion handler: the class implements the other form.
  public func didReceiveLocationPushPayload(_ payload: [String: Any], completion: @escaping () -> Void) { completion() }

  /// Calls the form with a completion handler.
  public func didReceiveLocationPushPayload(_ payload: [String: Any]) async {
    await withCheckedContinuation { continuation in
      didReceiveLocationPushPayload(payload) { continuation.resume() }
    }
  }

  /// Does nothing.
  public func serviceExtensionWillTerminate() {}
}

/// Why location pushes are not available.
public struct CLLocationPushServiceError: _BridgedStoredNSError {
  /// The reason; open, so that a `switch` needs `@unknown default`.
  public typealias Code = __CLLocationPushServiceErrorCode

  /// The underlying error of Foundation.
  public let _nsError: NSError

  /// Wraps an error of this domain from Foundation.
  public init(_nsError error: NSError) { _nsError = error }

  /// `CLLocationPushServiceErrorDomain`.
  public static var errorDomain: String { CLLocationPushServiceErrorDomain }
  /// The same, under the name that Foundation uses.
  public static var _nsErrorDomain: String { CLLocationPushServiceErrorDomain }

  // Foundation's default implementations for such errors recurse without end.
  /// Computed from domain and code.
  public func hash(into hasher: inout Hasher) { _nsError.combine(into: &hasher) }
  /// Computed from domain and code.
  public var hashValue: Int { _nsError.hashOfDomainAndCode }
}

/// Each code as a member of the error type.
extension CLLocationPushServiceError {
  /// The cause is not known.
  public static var unknown: CLLocationPushServiceError.Code { .unknown }
  /// The program has no extension for location pushes.
  public static var missingPushExtension: CLLocationPushServiceError.Code { .missingPushExtension }
  /// The program does not name a push server environment.
  public static var missingPushServerEnvironment: CLLocationPushServiceError.Code { .missingPushServerEnvironment }
  /// The program lacks the entitlement.
  public static var missingEntitlement: CLLocationPushServiceError.Code { .missingEntitlement }
  /// This platform does not support location pushes.
  public static var unsupportedPlatform: CLLocationPushServiceError.Code { .unsupportedPlatform }
}

// The retroactive conformance is safe: the enumeration belongs to this package, so no other module declares it.
extension __CLLocationPushServiceErrorCode: @retroactive _ErrorCodeProtocol {
  /// The error that has this code.
  public typealias _ErrorType = CLLocationPushServiceError

  /// Matches a `CLLocationPushServiceError` with this code, and an `NSError` with this code and domain.
  public static func ~= (match: Self, error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == CLLocationPushServiceErrorDomain && error.code == match.rawValue
  }
}
