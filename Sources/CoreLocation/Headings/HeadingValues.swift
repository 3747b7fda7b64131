import CCoreLocation
import Foundation

/// What a heading says, with Apple's marks for what is not known (−1).
struct HeadingValues: Sendable {
  /// Degrees from magnetic north; negative: not valid.
  var magneticHeading: CLLocationDirection = -1
  /// Degrees from true north; negative: not valid.
  var trueHeading: CLLocationDirection = -1
  /// Degrees; negative: the heading is not valid.
  var headingAccuracy: CLLocationDirection = -1
  /// The field along the device's axes, microtesla.
  var x: CLHeadingComponentValue = 0
  var y: CLHeadingComponentValue = 0
  var z: CLHeadingComponentValue = 0
  /// When it was determined.
  var timestamp = Date()
}

extension HeadingValues {
  private static let timestampKey = "timestamp"
  private static let numbers: [(name: String, path: any WritableKeyPath<HeadingValues, Double> & Sendable)] = [
    ("magneticHeading", \.magneticHeading), ("trueHeading", \.trueHeading), ("headingAccuracy", \.headingAccuracy),
    ("x", \.x), ("y", \.y), ("z", \.z),
  ]

  /// Reads an archive; `nil` where a number is missing.
  init?(from coder: NSCoder) {
    guard coder.containsValue(forKey: Self.timestampKey) else { return nil }
    timestamp = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: Self.timestampKey))
    for (name, path) in Self.numbers {
      guard coder.containsValue(forKey: name) else { return nil }
      self[keyPath: path] = coder.decodeDouble(forKey: name)
    }
  }

  /// Writes an archive.
  func encode(to coder: NSCoder) {
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: Self.timestampKey)
    for (name, path) in Self.numbers { coder.encode(self[keyPath: path], forKey: name) }
  }
}
