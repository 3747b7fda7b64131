import Geodesy

/// Writes regions one after the other.
struct RegionWriter {
  private var bytes = RegionFile.magic + [RegionFile.version, 0, 0, 0, 0]
  private var count: UInt32 = 0

  mutating func add(_ region: Region, _ state: RegionState) {
    var flags = state.rawValue | (region.notifiesOnEntry ? 4 : 0) | (region.notifiesOnExit ? 8 : 0)
    if case .polygon = region.shape { flags |= 16 }
    bytes.append(flags)
    add(UInt16(region.identifier.utf8.count))
    bytes += region.identifier.utf8
    switch region.shape {
    case .circle(let circle):
      add(circle.center)
      add(circle.radius.value.bitPattern)
    case .polygon(let polygon):
      add(UInt16(polygon.corners.count))
      for corner in polygon.corners { add(corner) }
    }
    count += 1
  }

  consuming func finish() -> [UInt8] {
    for number in 0..<4 { bytes[5 + number] = UInt8(truncatingIfNeeded: count >> (8 * UInt32(number))) }
    return RegionFile.sealed(bytes)
  }

  private mutating func add(_ place: Coordinate) {
    add(place.latitude.degrees.bitPattern)
    add(place.longitude.degrees.bitPattern)
  }

  private mutating func add(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}
