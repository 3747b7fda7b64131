/// What is kept of a track's entry, each as an integer of its own unit: finer than any receiver tells or any format writes.
enum TrackColumn: Int, CaseIterable {
  /// 0: a fix; else the code of an interruption (`TrackInterruption+Code`).
  case entry
  /// When the fix was true, in microseconds since 1970.
  case time
  /// The fix's time less its arrival by the monotonic clock, both in whole milliseconds: how far apart the two clocks are.
  case clockOffset
  /// 10⁻⁹ °: a tenth of a millimetre, the unit of UBX's high precision.
  case latitude, longitude
  /// Millimetres, the unit of UBX and finer than NMEA's.
  case horizontalRadius
  case heightAboveEllipsoid
  /// Height above sea level; where both heights are known, less the one above the ellipsoid: then it hardly changes.
  case heightAboveSeaLevel
  case verticalRadius
  /// Millimetres per second.
  case speed, speedRadius
  /// 0.001°.
  case course
  /// 0.01°.
  case courseRadius
  case satellites
  /// A bit for each of the optional fields that is known (`TrackRow.Known`).
  case known
  /// Kind, validity of the time, suspicion, technologies and whether it is simulated (`TrackRow`).
  case quality
  /// 0: neither device nor receiver known; else one more than the index in the segment's table.
  case source
}
