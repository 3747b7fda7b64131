import Geodesy
import TrackFormats

private let position = PhotographPosition(
  time: GNSSTime(nanosecondsSince1970: 1_772_368_496_789_000_000),
  coordinate: Coordinate(latitude: Angle(degrees: -33.85), longitude: Angle(degrees: 151.2)),
  heightAboveMeanSeaLevel: Meters(12.3))

/// Any bytes as a photograph: rejected, or tagged into a photograph that can be read again, has a position and contains the same
/// time.
func checkPhotograph(_ bytes: [UInt8]) {
  guard let photograph = try? Photograph(bytes), let tagged = try? photograph.tagged(with: position) else { return }
  guard let again = try? Photograph(tagged) else { preconditionFailure("wrote what cannot be read") }
  precondition(again.hasPosition, "no position")
  precondition(again.time == photograph.time, "another time")
}
