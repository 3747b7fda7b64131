import Foundation

/// What of this module is answered by a location service. Each answer stands behind one protocol; until something serves it, it
/// says that the device has none.
enum Service {
  /// Serves `CLLocationUpdate.liveUpdates`.
  static let locations: any LocationStream = HostedLocationStream()
  /// Serves the diagnostics of `CLServiceSession` and `CLBackgroundActivitySession`.
  static let authorization: any AuthorizationSource = ProcessAuthorization.shared
  /// Serves `CLGeocoder`.
  static let geocoding: any GeocodingSource = UnservedGeocoding()
}

/// What the environment says of the service, as for the command line.
enum ServiceEnvironment {
  /// A variable's text; `nil` where it is unset or empty.
  static func text(_ name: String) -> String? {
    guard let text = ProcessInfo.processInfo.environment[name], !text.isEmpty else { return nil }
    return text
  }

  /// What a variable says; `nil` where it says nothing, and also where nothing can be made of it, with a word on stderr:
  /// `NAME COMPLAINT`.
  static func value<Value>(_ name: String, else complaint: String, _ parse: (String) -> Value?) -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = parse(text) else {
      try? FileHandle.standardError.write(contentsOf: Data("CoreLocation: \(name) \(complaint)\n".utf8))
      return nil
    }
    return value
  }
}
