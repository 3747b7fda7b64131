public import CCoreLocation
public import Foundation

/// Which way the device points.
// Not Sendable, as on Apple's systems: what compiles here compiles there.
open class CLHeading: NSObject, NSCopying, NSSecureCoding {
  private let values: HeadingValues

  /// A heading of which nothing is known: `headingAccuracy` is negative.
  public override init() {
    values = HeadingValues()
    super.init()
  }

  /// A heading as a sensor told it.
  init(_ values: HeadingValues) {
    self.values = values
    super.init()
  }

  /// Reads an archive; `nil` where it holds no heading.
  public required init?(coder: NSCoder) {
    guard let values = HeadingValues(from: coder) else { return nil }
    self.values = values
    super.init()
  }

  /// Degrees clockwise from magnetic north, 0 to below 360; negative: not valid.
  open var magneticHeading: CLLocationDirection { values.magneticHeading }
  /// Degrees clockwise from true north, 0 to below 360; negative: not valid, as without a location.
  open var trueHeading: CLLocationDirection { values.trueHeading }
  /// The most that `magneticHeading` may be wrong, degrees; negative: it is not valid.
  open var headingAccuracy: CLLocationDirection { values.headingAccuracy }
  /// The magnetic field along the device's x axis, microtesla.
  open var x: CLHeadingComponentValue { values.x }
  /// The magnetic field along the device's y axis, microtesla.
  open var y: CLHeadingComponentValue { values.y }
  /// The magnetic field along the device's z axis, microtesla.
  open var z: CLHeadingComponentValue { values.z }
  /// When the heading was determined.
  open var timestamp: Date { values.timestamp }

  /// Itself: a heading never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Yes.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) { values.encode(to: coder) }
}
