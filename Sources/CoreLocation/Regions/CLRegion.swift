public import CCoreLocation
public import Foundation
import Geodesy
import Regions

/// Something that can be entered and left: a circle (`CLCircularRegion`) or the surroundings of a beacon (`CLBeaconRegion`).
///
/// Two regions are equal that are of the same kind and have the same identifier, whatever else they say: of those the service
/// keeps one.
open class CLRegion: NSObject, NSCopying, NSSecureCoding {
  private enum Key {
    static let identifier = "identifier"
    static let notifyOnEntry = "notifyOnEntry"
    static let notifyOnExit = "notifyOnExit"
    static let latitude = "latitude"
    static let longitude = "longitude"
    static let radius = "radius"
  }

  private let name: String
  private let circle: RegionCircle?

  /// The program's own name for the region.
  open var identifier: String { name }
  /// Whether the program is told that the device has come in; true at first.
  open var notifyOnEntry = true
  /// Whether the program is told that the device has gone out; true at first.
  open var notifyOnExit = true

  /// A region without shape and name.
  public override init() {
    (name, circle) = ("", nil)
    super.init()
  }

  /// A region of a kind that a subclass says.
  init(identifier: String, circle: RegionCircle?) {
    name = identifier
    self.circle = circle
    super.init()
  }

  /// A circle; the radius in metres.
  @available(iOS, introduced: 4.0, deprecated: 7.0, message: "Use CLCircularRegion.")
  public init(
    circularRegionWithCenter center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String
  ) {
    name = identifier
    circle = RegionCircle(center: center, radius: radius)
    super.init()
  }

  /// Reads an archive; `nil` where it holds no region.
  public required init?(coder: NSCoder) {
    guard let name = coder.optionalString(forKey: Key.identifier) else { return nil }
    self.name = name
    circle =
      coder.containsValue(forKey: Key.radius)
      ? RegionCircle(
        center: CLLocationCoordinate2D(
          latitude: coder.decodeDouble(forKey: Key.latitude), longitude: coder.decodeDouble(forKey: Key.longitude)),
        radius: coder.decodeDouble(forKey: Key.radius)) : nil
    super.init()
    notifyOnEntry = coder.decodeBool(forKey: Key.notifyOnEntry)
    notifyOnExit = coder.decodeBool(forKey: Key.notifyOnExit)
  }

  /// The circle's centre, degrees; not valid where the region is no circle.
  @available(iOS, introduced: 4.0, deprecated: 7.0, message: "Use CLCircularRegion.")
  open var center: CLLocationCoordinate2D { circle?.center ?? kCLLocationCoordinate2DInvalid }

  /// The circle's radius, metres; 0 where the region is no circle.
  @available(iOS, introduced: 4.0, deprecated: 7.0, message: "Use CLCircularRegion.")
  open var radius: CLLocationDistance { circle?.radius ?? 0 }

  /// Whether a place lies in the circle or on its border.
  @available(iOS, introduced: 4.0, deprecated: 7.0, message: "Use CLCircularRegion.")
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool { circle?.contains(coordinate) ?? false }

  /// What it covers, for the service; `nil`: no circle.
  var shape: RegionCircle? { circle }

  /// What the region is a region of: only regions of the same kind can be equal.
  var kind: RegionKind { circle == nil ? .other : .circle }

  /// Of the same kind and with the same identifier.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLRegion else { return false }
    return kind == other.kind && identifier == other.identifier
  }

  /// From the identifier.
  open override var hash: Int { identifier.hashValue }

  /// Its kind, its identifier and what it covers.
  open override var description: String {
    guard let circle else { return "\(type(of: self)) (identifier:'\(identifier)')" }
    return "\(type(of: self)) (identifier:'\(identifier)', center:<"
      + String(format: "%+.8f,%+.8f>, radius:%.2fm)", circle.center.latitude, circle.center.longitude, circle.radius)
  }

  /// A region of its own, with the same values: the flags can be changed in each.
  open func copy(with zone: NSZone? = nil) -> Any {
    copyingFlags(to: CLRegion(identifier: identifier, circle: circle))
  }

  /// Gives a copy this region's flags.
  func copyingFlags<Region: CLRegion>(to copy: Region) -> Region {
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    return copy
  }

  /// Yes.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(name as NSString, forKey: Key.identifier)
    coder.encode(notifyOnEntry, forKey: Key.notifyOnEntry)
    coder.encode(notifyOnExit, forKey: Key.notifyOnExit)
    guard let circle else { return }
    coder.encode(circle.center.latitude, forKey: Key.latitude)
    coder.encode(circle.center.longitude, forKey: Key.longitude)
    coder.encode(circle.radius, forKey: Key.radius)
  }
}

extension Region {
  /// A region of Apple's as the service takes it; `nil`: it is no circle of the earth, or its name is too long.
  init?(_ region: CLRegion) {
    guard let circle = region.shape, let shape = CircleShape(circle.center, circle.radius) else { return nil }
    try? self.init(
      identifier: region.identifier, shape: .circle(shape), notifiesOnEntry: region.notifyOnEntry,
      notifiesOnExit: region.notifyOnExit)
  }
}

extension CircleShape {
  /// `nil`: there is no such circle.
  init?(_ center: CLLocationCoordinate2D, _ radius: CLLocationDistance) {
    guard let middle = Coordinate(checkingLatitude: center.latitude, longitude: center.longitude) else { return nil }
    try? self.init(center: middle, radius: Meters(radius))
  }
}

extension CLRegion {
  /// A region of the service's: an object of its own each time.
  static func made(of region: Region) -> CLRegion {
    let made: CLRegion
    switch region.shape {
    case .circle(let circle):
      made = CLCircularRegion(
        center: CLLocationCoordinate2D(circle.center), radius: circle.radius.value, identifier: region.identifier)
    // Nothing of Apple's has corners.
    case .polygon: made = CLRegion(identifier: region.identifier, circle: nil)
    }
    made.notifyOnEntry = region.notifiesOnEntry
    made.notifyOnExit = region.notifiesOnExit
    return made
  }
}

extension CLRegionState {
  init(_ state: RegionState) {
    switch state {
    case .unknown: self = .unknown
    case .inside: self = .inside
    case .outside: self = .outside
    }
  }
}

extension CLLocationCoordinate2D {
  init(_ place: Coordinate) { self.init(latitude: place.latitude.degrees, longitude: place.longitude.degrees) }
}

/// What a region is a region of.
enum RegionKind: Hashable, Sendable {
  /// A circle.
  case circle
  /// The surroundings of beacons.
  case beacon
  /// Nothing that this module knows.
  case other
}
