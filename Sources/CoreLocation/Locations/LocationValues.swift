import CCoreLocation
import Foundation
import Geodesy

/// The values of a location, with Apple's marks for unknown values (−1).
struct LocationValues: Sendable {
  /// Degrees.
  var coordinate = CLLocationCoordinate2D()
  /// Meters above mean sea level.
  var altitude: CLLocationDistance = 0
  /// Meters above the WGS 84 ellipsoid; 0: not known.
  var ellipsoidalAltitude: CLLocationDistance = 0
  /// Meters, 68 %; negative: the coordinate is not valid.
  var horizontalAccuracy: CLLocationAccuracy = -1
  /// Meters, one standard deviation; altitudes are valid if it is above 0.
  var verticalAccuracy: CLLocationAccuracy = -1
  /// Degrees from true north; negative: not valid.
  var course: CLLocationDirection = -1
  /// Degrees; negative: the course is not valid.
  var courseAccuracy: CLLocationDirectionAccuracy = -1
  /// Meters per second; negative: not valid.
  var speed: CLLocationSpeed = -1
  /// Meters per second; negative: not valid.
  var speedAccuracy: CLLocationSpeedAccuracy = -1
  /// When the location was determined.
  var timestamp = Date()
  /// The floor of a building, if it is known.
  var floor: CLFloor?
  /// The kind of source, if it is known.
  var sourceInformation: CLLocationSourceInformation?
}

extension LocationValues {
  private enum Key {
    static let numbers: ArchivedNumbers<LocationValues> = [
      ("latitude", \.coordinate.latitude), ("longitude", \.coordinate.longitude), ("altitude", \.altitude),
      ("ellipsoidalAltitude", \.ellipsoidalAltitude), ("horizontalAccuracy", \.horizontalAccuracy),
      ("verticalAccuracy", \.verticalAccuracy), ("course", \.course), ("courseAccuracy", \.courseAccuracy),
      ("speed", \.speed), ("speedAccuracy", \.speedAccuracy),
    ]
    static let timestamp = "timestamp"
    static let floor = "floor"
    static let sourceInformation = "sourceInformation"
  }

  /// Reads an archive; `nil` if a number is missing.
  init?(from coder: NSCoder) {
    guard let time = coder.optionalTime(forKey: Key.timestamp), coder.decode(Key.numbers, into: &self) else {
      return nil
    }
    timestamp = time
    floor = coder.optional(CLFloor.self, forKey: Key.floor)
    sourceInformation = coder.optional(CLLocationSourceInformation.self, forKey: Key.sourceInformation)
  }

  /// Writes an archive.
  func encode(to coder: NSCoder) {
    coder.encodeTime(timestamp, forKey: Key.timestamp)
    coder.encode(Key.numbers, of: self)
    coder.encode(floor, forKey: Key.floor)
    coder.encode(sourceInformation, forKey: Key.sourceInformation)
  }
}

extension CLLocation {
  /// Converts a fix of the service to Apple's type: unknown values become -1, or 0 for the altitudes.
  convenience init(_ fix: PositionFix) {
    var values = LocationValues()
    values.coordinate.latitude = fix.coordinate.latitude.degrees
    values.coordinate.longitude = fix.coordinate.longitude.degrees
    values.horizontalAccuracy = fix.horizontalRadius68.value
    // A height without an error estimate is omitted, because a client could not judge it.
    if let height = fix.heightAboveMeanSeaLevel ?? fix.heightAboveEllipsoid, let error = fix.verticalRadius68 {
      values.altitude = height.value
      values.ellipsoidalAltitude = fix.heightAboveEllipsoid?.value ?? 0
      values.verticalAccuracy = error.value
    }
    values.course = fix.course?.degrees ?? -1
    values.courseAccuracy = fix.courseRadius68?.degrees ?? -1
    values.speed = fix.speedMetersPerSecond ?? -1
    values.speedAccuracy = fix.speedRadius68MetersPerSecond ?? -1
    values.timestamp = Date(fix.time)
    if fix.isSimulated {
      values.sourceInformation = CLLocationSourceInformation(
        softwareSimulationState: true, andExternalAccessoryState: false)
    }
    self.init(values)
  }
}

/// The time in a location's description: short date, full time, in the format of the user who runs the program.
enum DescriptionTime {
  // Foundation on Linux ignores the environment, which defines the user's format there.
  static func words(_ time: Date, environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: localeIdentifier(in: environment))
    formatter.dateStyle = .short
    formatter.timeStyle = .full
    return formatter.string(from: time)
  }

  /// `de_CH` from `de_CH.UTF-8`, with the precedence of locale(7); `en_US` if there is none.
  static func localeIdentifier(in environment: [String: String]) -> String {
    let set = ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let name = set?.prefix { $0 != "." && $0 != "@" } ?? "C"
    return name == "C" || name == "POSIX" ? "en_US" : String(name)
  }
}
