import CCoreLocation
import Foundation

/// What a location says, with Apple's marks for what is not known (−1).
struct LocationValues: Sendable {
  /// Degrees.
  var coordinate = CLLocationCoordinate2D()
  /// Metres above mean sea level.
  var altitude: CLLocationDistance = 0
  /// Metres above the WGS 84 ellipsoid; 0 unless a source has told it.
  var ellipsoidalAltitude: CLLocationDistance = 0
  /// Metres, 68 %; negative: the coordinate is not valid.
  var horizontalAccuracy: CLLocationAccuracy = -1
  /// Metres, one standard deviation; altitudes are valid where it is above 0.
  var verticalAccuracy: CLLocationAccuracy = -1
  /// Degrees from true north; negative: not valid.
  var course: CLLocationDirection = -1
  /// Degrees; negative: the course is not valid.
  var courseAccuracy: CLLocationDirectionAccuracy = -1
  /// Metres per second; negative: not valid.
  var speed: CLLocationSpeed = -1
  /// Metres per second; negative: not valid.
  var speedAccuracy: CLLocationSpeedAccuracy = -1
  /// When the location was true.
  var timestamp = Date()
  /// The storey, where it is known.
  var floor: CLFloor?
  /// What kind of source it came from, where that is known.
  var sourceInformation: CLLocationSourceInformation?
}

extension LocationValues {
  private enum Key {
    static let numbers: [(name: String, path: any WritableKeyPath<LocationValues, Double> & Sendable)] = [
      ("latitude", \.coordinate.latitude), ("longitude", \.coordinate.longitude), ("altitude", \.altitude),
      ("ellipsoidalAltitude", \.ellipsoidalAltitude), ("horizontalAccuracy", \.horizontalAccuracy),
      ("verticalAccuracy", \.verticalAccuracy), ("course", \.course), ("courseAccuracy", \.courseAccuracy),
      ("speed", \.speed), ("speedAccuracy", \.speedAccuracy),
    ]
    static let timestamp = "timestamp"
    static let floor = "floor"
    static let sourceInformation = "sourceInformation"
  }

  /// Reads an archive; `nil` where a number is missing.
  init?(from coder: NSCoder) {
    guard coder.containsValue(forKey: Key.timestamp) else { return nil }
    timestamp = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: Key.timestamp))
    for (name, path) in Key.numbers {
      guard coder.containsValue(forKey: name) else { return nil }
      self[keyPath: path] = coder.decodeDouble(forKey: name)
    }
    floor = coder.optional(CLFloor.self, forKey: Key.floor)
    sourceInformation = coder.optional(CLLocationSourceInformation.self, forKey: Key.sourceInformation)
  }

  /// Writes an archive.
  func encode(to coder: NSCoder) {
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: Key.timestamp)
    for (name, path) in Key.numbers { coder.encode(self[keyPath: path], forKey: name) }
    coder.encode(floor, forKey: Key.floor)
    coder.encode(sourceInformation, forKey: Key.sourceInformation)
  }
}
