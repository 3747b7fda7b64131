package import Geodesy

/// Figures of a track: fixes, length, times and extent, added up fix by fix.
package struct TrackSummary: Hashable, Sendable {
  /// Below this speed, meters per second, a machine is standing: about the speed of a slow walk, and above the noise of
  /// a receiver.
  package static let standingBelow = 0.5

  package private(set) var fixes = 0
  /// The number of parts without an interruption.
  package private(set) var segments = 0
  /// The times of the earliest and the latest fix.
  package private(set) var begin: GNSSTime?
  package private(set) var end: GNSSTime?
  /// The length of the line through the fixes, within the segments.
  package private(set) var distance = Meters(0)
  /// The time within the segments during which the machine moved, and stood.
  package private(set) var moving: Duration = .zero
  package private(set) var standing: Duration = .zero
  /// The greatest speed that the receiver reported, meters per second; never less than the mean speed while moving, because a machine
  /// that covers a distance in a time was at some moment at least that fast.
  package var maximumSpeed: Double? {
    guard let greatestReportedSpeed else { return nil }
    return max(greatestReportedSpeed, meanMovingSpeed ?? 0)
  }
  /// The extent: south-west and north-east corner. The longitude of the north-east corner may be above 180° if the track crosses the
  /// meridian of 180°.
  package private(set) var extent: Extent?

  package struct Extent: Hashable, Sendable {
    package var south: Angle
    package var west: Angle
    package var north: Angle
    package var east: Angle

    /// The longitudes from −180° to 180°. The east is less than the west if the track crosses the meridian of 180°, as in a bounding box of
    /// GeoJSON (RFC 7946 §5.2); a track around the Earth has −180° and 180°.
    package var longitudes: (west: Angle, east: Angle) {
      if east.degrees - west.degrees >= 360 { return (Angle(degrees: -180), Angle(degrees: 180)) }
      return (west, east.degrees > 180 ? Angle(degrees: east.degrees - 360) : east)
    }

    /// The extent of one position.
    init(_ coordinate: Coordinate) {
      (south, north) = (coordinate.latitude, coordinate.latitude)
      (west, east) = (coordinate.longitude, coordinate.longitude)
    }

    /// Extends the extent. Longitudes continue beyond ±180° from the first one, so that a track across the meridian of
    /// 180° has a small extent.
    mutating func extend(to coordinate: Coordinate) {
      south = min(south, coordinate.latitude)
      north = max(north, coordinate.latitude)
      let middle = (west.degrees + east.degrees) / 2
      let longitude = middle + (coordinate.longitude.degrees - middle).remainder(dividingBy: 360)
      west = min(west, Angle(degrees: longitude))
      east = max(east, Angle(degrees: longitude))
      if west.degrees < -180 {
        west.degrees += 360
        east.degrees += 360
      }
    }
  }

  private var greatestReportedSpeed: Double?
  private var movingDistance = Meters(0)
  private var last: PositionFix?

  package init() {}

  /// The longest time between two fixes in which their reported speeds describe the motion between them: a log at one fix per second
  /// with some that are left out.
  private static let continuous: Duration = .seconds(3)

  /// The mean speed while moving, meters per second; `nil` if the machine did not move. The wandering of a standing machine's
  /// position does not count, nor does the way of a position that is still converging.
  package var meanMovingSpeed: Double? { moving > .zero ? movingDistance.value / moving.inSeconds : nil }

  /// Adds the next entry of the track.
  package mutating func add(_ entry: TrackEntry) {
    switch entry {
    case .interruption: last = nil
    case .fix(let fix): add(fix)
    }
  }

  private mutating func add(_ fix: PositionFix) {
    guard
      Coordinate(checkingLatitude: fix.coordinate.latitude.degrees, longitude: fix.coordinate.longitude.degrees) != nil
    else { return }
    fixes += 1
    if let last { add(from: last, to: fix) } else { segments += 1 }
    begin = min(begin ?? fix.time, fix.time)
    end = max(end ?? fix.time, fix.time)
    if let speed = Self.speed(of: fix) { greatestReportedSpeed = max(greatestReportedSpeed ?? 0, speed) }
    if extent == nil { extent = Extent(fix.coordinate) } else { extent?.extend(to: fix.coordinate) }
    last = fix
  }

  private mutating func add(from first: PositionFix, to second: PositionFix) {
    let length = Geodesic.inverse(from: first.coordinate, to: second.coordinate).distance
    distance = distance + length
    let time = second.time - first.time
    guard time > .zero else { return }
    var speed = length.value / time.inSeconds
    // A receiver measures its speed by Doppler shifts, to some 0.1 m/s; positions one second apart differ by meters even at rest.
    if time <= Self.continuous, let before = Self.speed(of: first), let after = Self.speed(of: second) {
      speed = (before + after) / 2
    }
    if speed < Self.standingBelow {
      standing += time
    } else {
      moving += time
      movingDistance = movingDistance + Meters(speed * time.inSeconds)
    }
  }

  private static func speed(of fix: PositionFix) -> Double? {
    fix.speedMetersPerSecond.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
  }
}
