import BusMessages
import Geodesy

/// One location of a client: an object that never changes.
struct BridgeLocation: Hashable, Sendable {
  let number: Int
  let fix: PositionFix
  /// When a newer one replaced it; `nil`: it is the newest.
  var replacedAt: Instant?

  /// The values of a property that is not known, as programs expect them (GeoClue's Location interface).
  private static let unknownAltitude = -Double.greatestFiniteMagnitude
  private static let unknown = -1.0

  /// Whether it is far enough from an earlier one, and late enough.
  func isNews(after told: BridgeLocation, distance: UInt32, time: UInt32) -> Bool {
    let moved = Geodesic.distance(from: told.fix.coordinate, to: fix.coordinate).value
    guard distance == 0 || moved >= Double(distance) else { return false }
    let (later, earlier) = (fix.time.nanosecondsSince1970, told.fix.time.nanosecondsSince1970)
    let (difference, isTooLong) = later.subtractingReportingOverflow(earlier)
    return time == 0 || isTooLong || difference.magnitude >= UInt64(time) * 1_000_000_000
  }

  /// The value of a property; `nil`: there is no such property.
  func value(_ name: String) -> BusValue? {
    switch name {
    case "Latitude": .double(fix.coordinate.latitude.degrees)
    case "Longitude": .double(fix.coordinate.longitude.degrees)
    case "Accuracy": .double(fix.horizontalRadius68.value)
    case "Altitude": .double(fix.heightAboveMeanSeaLevel?.value ?? Self.unknownAltitude)
    case "Speed": .double(fix.speedMetersPerSecond ?? Self.unknown)
    case "Heading": .double(fix.course?.degrees ?? Self.unknown)
    case "Description": .string("")
    case "Timestamp": timestamp
    default: nil
    }
  }

  /// Seconds since 1970, and microseconds.
  private var timestamp: BusValue {
    let nanoseconds = max(fix.time.nanosecondsSince1970, 0)
    return .structure([
      .uint64(UInt64(nanoseconds / 1_000_000_000)), .uint64(UInt64(nanoseconds % 1_000_000_000 / 1000)),
    ])
  }
}
