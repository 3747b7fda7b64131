public import CCoreLocation
public import Foundation
import Geodesy
import Regions

/// An area that can be entered and left: a circle (`CLCircularRegion`) or the surroundings of a beacon (`CLBeaconRegion`).
///
/// Two regions of the same kind and with the same identifier are equal, whatever their other values: the service keeps
/// only one of them.
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
  /// Whether the program is notified of entries; initially `true`.
  open var notifyOnEntry = true
  /// Whether the program is notified of exits; initially `true`.
  open var notifyOnExit = true

  /// Creates a region without shape and name.
  public override init() {
    (name, circle) = ("", nil)
    super.init()
  }

  /// Creates a region whose kind the subclass determines.
  init(identifier: String, circle: RegionCircle?) {
    name = identifier
    self.circle = circle
    super.init()
  }

  /// Creates a circle; the radius in meters.
  @available(iOS, introduced: 4.0, deprecated: 7.0, message: "Use CLCircularRegion.")
  public init(
    circularRegionWithCenter center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String
  ) {
    name = identifier
    circle = RegionCircle(center: center, radius: radius)
    super.init()
  }

  /// Reads an archive; `nil` if it holds no region.
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

  /// The circle's center, degrees; not valid if the region is not a circle.
  @available(iOS, introduced: 4.0, deprecated: 7.0, message: "Use CLCircularRegion.")
  open var center: CLLocationCoordinate2D { circle?.center ?? kCLLocationCoordinate2DInvalid }

  /// The circle's radius, meters; 0 if the region is not a circle.
  @available(iOS, introduced: 4.0, deprecated: 7.0, message: "Use CLCircularRegion.")
  open var radius: CLLocationDistance { circle?.radius ?? 0 }

  /// Whether a place lies in the circle or on its border.
  @available(iOS, introduced: 4.0, deprecated: 7.0, message: "Use CLCircularRegion.")
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool { circle?.contains(coordinate) ?? false }

  /// The area, for the service; `nil`: not a circle.
  var shape: RegionCircle? { circle }

  /// The kind of region: only regions of the same kind can be equal.
  var kind: RegionKind { circle == nil ? .other : .circle }

  /// Whether both are of the same kind and have the same identifier.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLRegion else { return false }
    return kind == other.kind && identifier == other.identifier
  }

  /// Computed from the identifier.
  open override var hash: Int { identifier.hashValue }

  /// The kind, the identifier and the area.
  open override var description: String {
    guard let circle else { return "\(type(of: self)) (identifier:'\(identifier)')" }
    return "\(type(of: self)) (identifier:'\(identifier)', center:<"
      + String(format: "%+.8f,%+.8f>, radius:%.2fm)", circle.center.latitude, circle.center.longitude, circle.radius)
  }

  /// A separate region with the same values: the flags of each can be changed.
  open func copy(with zone: NSZone? = nil) -> Any {
    copyingFlags(to: CLRegion(identifier: identifier, circle: circle))
  }

  /// Copies this region's flags to a copy.
  func copyingFlags<Region: CLRegion>(to copy: Region) -> Region {
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    return copy
  }

  /// Always `true`.
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
  /// Converts a region of Apple's type to the service's; `nil`: not a valid circle on the Earth, or its name is too long.
  init?(_ region: CLRegion) {
    guard let circle = region.shape, let shape = CircleShape(circle.center, circle.radius) else { return nil }
    try? self.init(
      identifier: region.identifier, shape: .circle(shape), notifiesOnEntry: region.notifyOnEntry,
      notifiesOnExit: region.notifyOnExit)
  }
}

extension CircleShape {
  /// `nil`: not a valid circle.
  init?(_ center: CLLocationCoordinate2D, _ radius: CLLocationDistance) {
    guard let middle = Coordinate(checkingLatitude: center.latitude, longitude: center.longitude) else { return nil }
    try? self.init(center: middle, radius: Meters(radius))
  }
}

extension CLRegion {
  /// Converts a region of the service to Apple's type: a new object each time.
  static func made(of region: Region) -> CLRegion {
    let made: CLRegion
    switch region.shape {
    case .circle(let circle):
      made = CLCircularRegion(
        center: CLLocationCoordinate2D(circle.center), radius: circle.radius.value, identifier: region.identifier)
    // Apple's framework has no polygons.
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

/// The kind of a region.
enum RegionKind: Hashable, Sendable {
  /// A circle.
  case circle
  /// The surroundings of beacons.
  case beacon
  /// Any other region: one without a shape, or a polygon of the service.
  case other
}
