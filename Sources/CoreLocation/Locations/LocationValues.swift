import CCoreLocation
import Foundation
import Geodesy

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

  /// Reads an archive; `nil` where a number is missing.
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
  /// A fix of the service in Apple's terms: -1 where nothing is known.
  convenience init(_ fix: PositionFix) {
    var values = LocationValues()
    values.coordinate.latitude = fix.coordinate.latitude.degrees
    values.coordinate.longitude = fix.coordinate.longitude.degrees
    values.horizontalAccuracy = fix.horizontalRadius68.value
    // A height without a measure of its error is told as none, as no height is wrong by nobody knows how much.
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

/// A time as a location's description has it: short date, full time, in the form of the person who runs the program.
enum DescriptionTime {
  // Foundation on Linux does not look at the environment, which is where a person's form stands there.
  static func words(_ time: Date, environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: localeIdentifier(in: environment))
    formatter.dateStyle = .short
    formatter.timeStyle = .full
    return formatter.string(from: time)
  }

  /// `de_CH` of `de_CH.UTF-8`, by the order of locale(7); `en_US` where there is none.
  static func localeIdentifier(in environment: [String: String]) -> String {
    let set = ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let name = set?.prefix { $0 != "." && $0 != "@" } ?? "C"
    return name == "C" || name == "POSIX" ? "en_US" : String(name)
  }
}
