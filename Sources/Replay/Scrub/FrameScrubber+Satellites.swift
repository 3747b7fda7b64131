import WireFormats

/// Messages on satellites.
extension FrameScrubber {
  mutating func sat() {
    for start in stride(from: 8, to: payload.bytes.count, by: 12) {
      let id = renumber(start)
      place(id, elevation: start + 3, azimuth: start + 4)
    }
  }

  mutating func svInfo() {
    for start in stride(from: 8, to: payload.bytes.count, by: 12) {
      let number = payload.u1(start + 1)
      let id = SatelliteID(ublox: number)
      if let id {
        payload.bytes[start + 1] = UInt8(
          clamping: Int(number) + Int(disguise.satellites.number(of: id)) - Int(id.number))
      }
      place(id, elevation: start + 5, azimuth: start + 6)
    }
  }

  mutating func signals() {
    for start in stride(from: 8, to: payload.bytes.count, by: 16) {
      renumber(start)
      // The channel of a GLONASS satellite, which names two of them.
      if !disguise.options.keepsSky, payload.u1(start) == Constellation.glonass.rawValue {
        payload.bytes[start + 3] = 7
      }
    }
  }

  /// gnssId and svId.
  @discardableResult
  private mutating func renumber(_ offset: Int) -> SatelliteID? {
    guard let constellation = Constellation(rawValue: payload.u1(offset)) else { return nil }
    let id = SatelliteID(constellation, payload.u1(offset + 1))
    payload.bytes[offset + 1] = disguise.satellites.number(of: id)
    return id
  }

  private mutating func place(_ id: SatelliteID?, elevation: Int, azimuth: Int) {
    let isKnown = (-90...90).contains(payload.i1(elevation)) && (payload.i1(elevation) != 0 || payload.i2(azimuth) != 0)
    guard isKnown, !disguise.options.keepsSky else { return }
    let sky = id.flatMap { disguise.satellites.sky(of: $0) } ?? (45, 0)
    payload.bytes[elevation] = UInt8(sky.elevation)
    payload.putI2(sky.azimuth, azimuth)
  }
}
