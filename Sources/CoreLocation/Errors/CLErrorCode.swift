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
