public import CCoreLocation
public import Foundation

/// The part of a program that answers a location push; it has one of the two forms of the first method.
public protocol CLLocationPushServiceExtension: NSObjectProtocol {
  /// A push has come; the completion is called when it is dealt with.
  func didReceiveLocationPushPayload(_ payload: [String: Any], completion: @escaping () -> Void)
  /// A push has come.
  func didReceiveLocationPushPayload(_ payload: [String: Any]) async
  /// Time is running out. Optional.
  func serviceExtensionWillTerminate()
}

/// What stands for the forms that a class does not have. The system calls the asynchronous one.
extension CLLocationPushServiceExtension {
  /// Does nothing but complete: the class has the other form.
  public func didReceiveLocationPushPayload(_ payload: [String: Any], completion: @escaping () -> Void) { completion() }

  /// Calls the form with a completion.
  public func didReceiveLocationPushPayload(_ payload: [String: Any]) async {
    await withCheckedContinuation { continuation in
      didReceiveLocationPushPayload(payload) { continuation.resume() }
    }
  }

  /// Does nothing.
  public func serviceExtensionWillTerminate() {}
}

/// Why location pushes cannot be had.
public struct CLLocationPushServiceError: _BridgedStoredNSError {
  /// Why; open, so that a `switch` wants `@unknown default`.
  public typealias Code = __CLLocationPushServiceErrorCode

  /// The error as Foundation has it.
  public let _nsError: NSError

  /// An error of this domain from Foundation's.
  public init(_nsError error: NSError) { _nsError = error }

  /// `CLLocationPushServiceErrorDomain`.
  public static var errorDomain: String { CLLocationPushServiceErrorDomain }
  /// The same, as Foundation asks for it.
  public static var _nsErrorDomain: String { CLLocationPushServiceErrorDomain }

  // What Foundation gives to all such errors calls itself for ever.
  /// From domain and code.
  public func hash(into hasher: inout Hasher) { _nsError.combine(into: &hasher) }
  /// From domain and code.
  public var hashValue: Int { _nsError.hashOfDomainAndCode }
}

/// Each code as the error's own.
extension CLLocationPushServiceError {
  /// No cause is known.
  public static var unknown: CLLocationPushServiceError.Code { .unknown }
  /// The program has no extension that takes them.
  public static var missingPushExtension: CLLocationPushServiceError.Code { .missingPushExtension }
  /// It names no server environment.
  public static var missingPushServerEnvironment: CLLocationPushServiceError.Code { .missingPushServerEnvironment }
  /// It is not entitled to them.
  public static var missingEntitlement: CLLocationPushServiceError.Code { .missingEntitlement }
  /// This platform has none.
  public static var unsupportedPlatform: CLLocationPushServiceError.Code { .unsupportedPlatform }
}

// The enumeration is this package's own: nobody else can declare this.
extension __CLLocationPushServiceErrorCode: @retroactive _ErrorCodeProtocol {
  /// The error that has this code.
  public typealias _ErrorType = CLLocationPushServiceError

  /// Matches such an error with this code, and an `NSError` with this code and domain.
  public static func ~= (match: Self, error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == CLLocationPushServiceErrorDomain && error.code == match.rawValue
  }
}
