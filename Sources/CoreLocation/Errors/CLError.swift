public import CCoreLocation
public import Foundation

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
