import Foundation

/// The parts of this module that a location service implements, each behind one protocol. A part without an implementation fails
/// with an error.
enum Service {
  /// Serves `CLLocationUpdate.liveUpdates`.
  static let locations: any LocationStream = HostedLocationStream()
  /// Serves the diagnostics of `CLServiceSession` and `CLBackgroundActivitySession`.
  static let authorization: any AuthorizationSource = ProcessAuthorization.shared
  /// Serves `CLGeocoder`.
  #if Places
    static let geocoding: any GeocodingSource = OfflineGeocoding.ofProgram
  #else
    static let geocoding: any GeocodingSource = UnavailableGeocoding()
  #endif
}

/// The environment variables of the service, the same as for the command line.
enum ServiceEnvironment {
  /// A variable's text; `nil` if it is unset or empty.
  static func text(_ name: String) -> String? {
    guard let text = ProcessInfo.processInfo.environment[name], !text.isEmpty else { return nil }
    return text
  }

  /// The parsed value of a variable; `nil` if the variable is unset, empty or invalid. An invalid value is reported on
  /// stderr as `CoreLocation: NAME COMPLAINT`.
  static func value<Value>(_ name: String, else complaint: String, _ parse: (String) -> Value?) -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = parse(text) else {
      try? FileHandle.standardError.write(contentsOf: Data("CoreLocation: \(name) \(complaint)\n".utf8))
      return nil
    }
    return value
  }
}
