public import CCoreLocation
public import Foundation

/// The direction in which the device points.
// Not Sendable, as on Apple's systems, so that code that compiles here also compiles there.
open class CLHeading: NSObject, NSCopying, NSSecureCoding {
  private let values: HeadingValues

  /// Creates a heading without data: `headingAccuracy` is negative.
  public override init() {
    values = HeadingValues()
    super.init()
  }

  /// Creates a heading from a sensor's values.
  init(_ values: HeadingValues) {
    self.values = values
    super.init()
  }

  /// Reads an archive; `nil` if it holds no heading.
  public required init?(coder: NSCoder) {
    guard let values = HeadingValues(from: coder) else { return nil }
    self.values = values
    super.init()
  }

  /// Degrees clockwise from magnetic north, 0 to below 360; negative: not valid.
  open var magneticHeading: CLLocationDirection { values.magneticHeading }
  /// Degrees clockwise from true north, 0 to below 360; negative: not valid, for example without a location.
  open var trueHeading: CLLocationDirection { values.trueHeading }
  /// Maximum error of `magneticHeading`, degrees; negative: the heading is not valid.
  open var headingAccuracy: CLLocationDirection { values.headingAccuracy }
  /// The magnetic field along the device's x axis, microtesla.
  open var x: CLHeadingComponentValue { values.x }
  /// The magnetic field along the device's y axis, microtesla.
  open var y: CLHeadingComponentValue { values.y }
  /// The magnetic field along the device's z axis, microtesla.
  open var z: CLHeadingComponentValue { values.z }
  /// When the heading was determined.
  open var timestamp: Date { values.timestamp }

  /// Returns itself, because a heading never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always `true`.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) { values.encode(to: coder) }
}

/// The values of a heading, with Apple's marks for unknown values (−1).
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
  /// When the heading was determined.
  var timestamp = Date()
}

extension HeadingValues {
  private static let timestampKey = "timestamp"
  private static let numbers: ArchivedNumbers<HeadingValues> = [
    ("magneticHeading", \.magneticHeading), ("trueHeading", \.trueHeading), ("headingAccuracy", \.headingAccuracy),
    ("x", \.x), ("y", \.y), ("z", \.z),
  ]

  /// Reads an archive; `nil` if a number is missing.
  init?(from coder: NSCoder) {
    guard let time = coder.optionalTime(forKey: Self.timestampKey), coder.decode(Self.numbers, into: &self) else {
      return nil
    }
    timestamp = time
  }

  /// Writes an archive.
  func encode(to coder: NSCoder) {
    coder.encodeTime(timestamp, forKey: Self.timestampKey)
    coder.encode(Self.numbers, of: self)
  }
}

/// A body whose heading a location manager can report instead of this device's: see `CLLocationManager.headingBody`.
public protocol CLBodyIdentifiable: NSObjectProtocol {}
