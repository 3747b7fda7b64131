public import CCoreLocation
public import Foundation
import Geodesy

/// The location of the device at a time, with its accuracy, and with the speed and direction of movement.
///
/// Unknown values are negative, as on Apple's systems: check `horizontalAccuracy` before using the coordinate, `verticalAccuracy`
/// before the altitudes, and `course` and `speed` before using them.
// Unchecked, because programs may subclass it: its own storage never changes.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let values: LocationValues

  /// Creates a location without data: `horizontalAccuracy` is negative.
  public override init() {
    values = LocationValues()
    super.init()
  }

  /// Creates a location at the current time, whose coordinate counts as exact: `horizontalAccuracy` is 0; altitude,
  /// course and speed are not known.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    values = LocationValues(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), horizontalAccuracy: 0)
    super.init()
  }

  /// Creates a location without course and speed. Meters; a negative accuracy marks its value as not valid.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    values = LocationValues(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
      timestamp: timestamp)
    super.init()
  }

  /// Creates a location with course (degrees from true north) and speed (m/s), without their accuracies.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
  ) {
    values = LocationValues(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
      course: course, speed: speed, timestamp: timestamp)
    super.init()
  }

  /// Creates a location with course (degrees from true north) and speed (m/s) and their accuracies.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy,
    timestamp: Date
  ) {
    values = LocationValues(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
      course: course, courseAccuracy: courseAccuracy, speed: speed, speedAccuracy: speedAccuracy, timestamp: timestamp)
    super.init()
  }

  /// Creates a location with course and speed, their accuracies, and the kind of its source.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy,
    timestamp: Date, sourceInfo: CLLocationSourceInformation
  ) {
    values = LocationValues(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
      course: course, courseAccuracy: courseAccuracy, speed: speed, speedAccuracy: speedAccuracy, timestamp: timestamp,
      sourceInformation: sourceInfo)
    super.init()
  }

  /// Creates a location from a source's values.
  init(_ values: LocationValues) {
    self.values = values
    super.init()
  }

  /// Reads an archive; `nil` if it holds no location.
  public required init?(coder: NSCoder) {
    guard let values = LocationValues(from: coder) else { return nil }
    self.values = values
    super.init()
  }

  /// Latitude and longitude, degrees; without meaning while `horizontalAccuracy` is negative.
  open var coordinate: CLLocationCoordinate2D { values.coordinate }
  /// Meters above mean sea level; valid while `verticalAccuracy` is above 0.
  open var altitude: CLLocationDistance { values.altitude }
  /// Meters above the WGS 84 ellipsoid; 0 if the ellipsoidal height or its accuracy is not known, and for every
  /// location created by a program.
  open var ellipsoidalAltitude: CLLocationDistance { values.ellipsoidalAltitude }
  /// Radius around the coordinate that contains the true position with a probability of 68 %, meters; negative: the
  /// coordinate is not valid.
  open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }
  /// Standard deviation of the altitudes, meters; 0 or negative: they are not valid.
  open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }
  /// Direction of movement, degrees from true north, 0 to 359.9; negative: not valid.
  open var course: CLLocationDirection { values.course }
  /// Accuracy of the course, degrees; negative: the course is not valid.
  open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy }
  /// Meters per second; negative: not valid.
  open var speed: CLLocationSpeed { values.speed }
  /// Accuracy of the speed, meters per second; negative: not valid.
  open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }
  /// When the location was determined.
  open var timestamp: Date { values.timestamp }
  /// The floor of a building; `nil` if it is not known.
  open var floor: CLFloor? { values.floor }
  /// The kind of source; `nil` if it is not known.
  open var sourceInformation: CLLocationSourceInformation? { values.sourceInformation }

  /// Length of the shortest line over the ellipsoid, meters; altitudes have no effect. NaN if a coordinate is not
  /// valid.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    coordinate.distance(to: location.coordinate)
  }

  /// The older name of `distance(from:)`.
  @available(iOS, introduced: 2.0, deprecated: 3.2, renamed: "distance(from:)")
  open func getDistanceFrom(_ location: CLLocation) -> CLLocationDistance { distance(from: location) }

  /// The format of Apple's systems: `<+37.33000000,-122.03000000> +/- 5.00m (speed -1.00 mps / course -1.00) @ …`, with the time in
  /// the user's format.
  open override var description: String {
    String(
      format: "<%+.8f,%+.8f> +/- %.2fm (speed %.2f mps / course %.2f) @ %@", coordinate.latitude, coordinate.longitude,
      horizontalAccuracy, speed, course, DescriptionTime.words(timestamp))
  }

  /// Returns itself, because a location never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always `true`: objects are decoded with the expected class.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) { values.encode(to: coder) }
}

extension CLLocationCoordinate2D {
  /// Length of the shortest line over the WGS 84 ellipsoid, meters; NaN if a latitude or longitude is not finite, or a latitude is
  /// beyond a pole. A longitude may exceed 180°.
  func distance(to other: CLLocationCoordinate2D) -> CLLocationDistance {
    guard let first = onEllipsoid, let second = other.onEllipsoid else { return .nan }
    return Geodesic.inverse(from: first, to: second).distance.value
  }

  private var onEllipsoid: Coordinate? {
    Coordinate(checkingLatitude: latitude, longitude: longitude.remainder(dividingBy: 360))
  }
}

/// A floor of a building.
// Unchecked, because programs may subclass it: its own storage never changes.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private static let levelKey = "level"
  private let storedLevel: Int

  /// Creates the ground floor.
  public override init() {
    storedLevel = 0
    super.init()
  }

  /// Creates a floor from its number.
  init(level: Int) {
    storedLevel = level
    super.init()
  }

  /// Reads an archive.
  public required init?(coder: NSCoder) {
    storedLevel = coder.decodeInteger(forKey: Self.levelKey)
    super.init()
  }

  /// Floors above (positive) or below the ground floor, which is 0.
  open var level: Int { storedLevel }

  /// Returns itself, because a floor never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always `true`.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) { coder.encode(storedLevel, forKey: Self.levelKey) }
}

/// The kind of source of a location.
// Unchecked, because programs may subclass it: its own storage never changes.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private static let simulatedKey = "isSimulatedBySoftware"
  private static let accessoryKey = "isProducedByAccessory"
  private let simulated: Bool
  private let accessory: Bool

  /// Creates the information. `isSoftware`: software simulated the location; `isAccessory`: an external device, for example a USB
  /// receiver, produced it.
  public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
    simulated = isSoftware
    accessory = isAccessory
    super.init()
  }

  /// Creates the information that the location is neither simulated nor from an external device, as Apple's inherited initializer
  /// does.
  public override init() {
    (simulated, accessory) = (false, false)
    super.init()
  }

  /// Reads an archive.
  public required init?(coder: NSCoder) {
    simulated = coder.decodeBool(forKey: Self.simulatedKey)
    accessory = coder.decodeBool(forKey: Self.accessoryKey)
    super.init()
  }

  /// Whether software simulated the location.
  open var isSimulatedBySoftware: Bool { simulated }
  /// Whether an external device produced the location.
  open var isProducedByAccessory: Bool { accessory }

  /// Returns itself, because it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always `true`.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(simulated, forKey: Self.simulatedKey)
    coder.encode(accessory, forKey: Self.accessoryKey)
  }
}
