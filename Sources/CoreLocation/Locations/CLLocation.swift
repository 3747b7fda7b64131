public import CCoreLocation
public import Foundation
import Geodesy

/// Where the device was at some time, with how exact that is, how fast it moved and which way.
///
/// Not known is negative, as on Apple's systems: look at `horizontalAccuracy` before the coordinate, at `verticalAccuracy`
/// before the altitudes, at `course` and `speed` before using them.
// Unchecked, as programs may subclass it: what it keeps itself never changes.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let values: LocationValues

  /// A location of which nothing is known: `horizontalAccuracy` is negative.
  public override init() {
    values = LocationValues()
    super.init()
  }

  /// A place now, taken as exact: `horizontalAccuracy` 0, altitude, course and speed not known.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    values = LocationValues(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), horizontalAccuracy: 0)
    super.init()
  }

  /// A location without course and speed. Metres; a negative accuracy says that what it belongs to is not valid.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    values = LocationValues(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
      timestamp: timestamp)
    super.init()
  }

  /// A location with course (degrees from true north) and speed (m/s), their accuracies not known.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
  ) {
    values = LocationValues(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
      course: course, speed: speed, timestamp: timestamp)
    super.init()
  }

  /// A location with course (degrees from true north) and speed (m/s) and their accuracies.
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

  /// A location with course and speed, their accuracies, and what kind of source it came from.
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

  /// A location as a source told it.
  init(_ values: LocationValues) {
    self.values = values
    super.init()
  }

  /// Reads an archive; `nil` where it holds no location.
  public required init?(coder: NSCoder) {
    guard let values = LocationValues(from: coder) else { return nil }
    self.values = values
    super.init()
  }

  /// Latitude and longitude, degrees; without meaning while `horizontalAccuracy` is negative.
  open var coordinate: CLLocationCoordinate2D { values.coordinate }
  /// Metres above mean sea level; valid while `verticalAccuracy` is above 0.
  open var altitude: CLLocationDistance { values.altitude }
  /// Metres above the WGS 84 ellipsoid; 0 while `verticalAccuracy` is not above 0, and for every location that a program made.
  open var ellipsoidalAltitude: CLLocationDistance { values.ellipsoidalAltitude }
  /// Radius within which the true place lies, metres; negative: the coordinate is not valid.
  open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }
  /// Standard deviation of the altitudes, metres; 0 or negative: they are not valid.
  open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }
  /// Which way the device moves, degrees from true north, 0 to 359.9; negative: not valid.
  open var course: CLLocationDirection { values.course }
  /// Accuracy of the course, degrees; negative: the course is not valid.
  open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy }
  /// Metres per second; negative: not valid.
  open var speed: CLLocationSpeed { values.speed }
  /// Accuracy of the speed, metres per second; negative: not valid.
  open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }
  /// When the location was determined.
  open var timestamp: Date { values.timestamp }
  /// The storey of a building; `nil` where it is not known.
  open var floor: CLFloor? { values.floor }
  /// What kind of source it came from; `nil` where it is not known.
  open var sourceInformation: CLLocationSourceInformation? { values.sourceInformation }

  /// Length of the shortest line over the ellipsoid, metres; altitudes do not count. Not a number where a coordinate is not
  /// valid.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    coordinate.distance(to: location.coordinate)
  }

  /// The older name of `distance(from:)`.
  @available(iOS, introduced: 2.0, deprecated: 3.2, renamed: "distance(from:)")
  open func getDistanceFrom(_ location: CLLocation) -> CLLocationDistance { distance(from: location) }

  /// As Apple's systems print it: `<+37.33000000,-122.03000000> +/- 5.00m (speed -1.00 mps / course -1.00) @ …`, the time in the
  /// person's own form.
  open override var description: String {
    String(
      format: "<%+.8f,%+.8f> +/- %.2fm (speed %.2f mps / course %.2f) @ %@", coordinate.latitude, coordinate.longitude,
      horizontalAccuracy, speed, course, DescriptionTime.words(timestamp))
  }

  /// Itself: a location never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Yes: an archive is read class by class.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) { values.encode(to: coder) }
}

extension CLLocationCoordinate2D {
  /// Length of the shortest line over the WGS 84 ellipsoid, metres; not a number where a latitude or longitude is none, or a
  /// latitude lies beyond a pole. A longitude may have gone round the Earth.
  func distance(to other: CLLocationCoordinate2D) -> CLLocationDistance {
    guard let first = onEllipsoid, let second = other.onEllipsoid else { return .nan }
    return Geodesic.inverse(from: first, to: second).distance.value
  }

  private var onEllipsoid: Coordinate? {
    Coordinate(checkingLatitude: latitude, longitude: longitude.remainder(dividingBy: 360))
  }
}

/// A storey of a building.
// Unchecked, as programs may subclass it: what it keeps itself never changes.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private static let levelKey = "level"
  private let storedLevel: Int

  /// The ground floor.
  public override init() {
    storedLevel = 0
    super.init()
  }

  /// A storey by its number.
  init(level: Int) {
    storedLevel = level
    super.init()
  }

  /// Reads an archive.
  public required init?(coder: NSCoder) {
    storedLevel = coder.decodeInteger(forKey: Self.levelKey)
    super.init()
  }

  /// Storeys above (positive) or below the ground floor, which is 0.
  open var level: Int { storedLevel }

  /// Itself: a floor never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Yes.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) { coder.encode(storedLevel, forKey: Self.levelKey) }
}

/// What kind of source a location came from.
// Unchecked, as programs may subclass it: what it keeps itself never changes.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private static let simulatedKey = "isSimulatedBySoftware"
  private static let accessoryKey = "isProducedByAccessory"
  private let simulated: Bool
  private let accessory: Bool

  /// Whether it was made up by software, and whether it came from a device that is attached, as a USB receiver is.
  public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
    simulated = isSoftware
    accessory = isAccessory
    super.init()
  }

  /// Neither, as Apple's inherited initializer makes it.
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

  /// Software made the location up.
  open var isSimulatedBySoftware: Bool { simulated }
  /// A device that is attached told the location.
  open var isProducedByAccessory: Bool { accessory }

  /// Itself: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Yes.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(simulated, forKey: Self.simulatedKey)
    coder.encode(accessory, forKey: Self.accessoryKey)
  }
}
