import Geodesy

/// What u-blox 5, 6 and 7 say (GPS.G6-SW-10018, GPS.G7-SW-12001).
extension UBXEpochEncoder {
  /// UBX-NAV-POSLLH (0x01 0x02).
  func posllh() -> [UInt8] {
    var message = begin(0x02)
    position(to: &message)
    return message.bytes
  }

  /// UBX-NAV-SOL (0x01 0x06).
  func sol() -> [UInt8] {
    var message = begin(0x06)
    let time = UBXTime(epoch)
    message.integer(Int32(0))
    message.integer(epoch.week)
    message.integer(fixType)
    // gpsFixOK, WKNSET, TOWSET.
    message.integer(UInt8((hasFix ? 1 : 0) | (time.knowsDate ? 4 : 0) | (time.knowsTime ? 8 : 0)))
    let ecef = hasFix ? epoch.position.earthCentered : (x: 0, y: 0, z: 0)
    for value in [ecef.x, ecef.y, ecef.z] { message.scaled(value * 100, Int32.self) }
    let accuracy =
      (epoch.horizontalAccuracy * epoch.horizontalAccuracy + epoch.verticalDeviation * epoch.verticalDeviation)
      .squareRoot()
    message.scaled(hasFix ? max(1, accuracy * 100) : .infinity, UInt32.self)
    let velocity = hasFix ? epoch.earthCenteredVelocity : (x: 0, y: 0, z: 0)
    for value in [velocity.x, velocity.y, velocity.z] { message.scaled(value * 100, Int32.self) }
    message.scaled(hasFix ? max(1, epoch.speedDeviation * 100) : 2000, UInt32.self)
    message.scaled(epoch.dilution.position * 100, UInt16.self)
    message.reserved(1)
    message.integer(UInt8(clamping: epoch.satellitesUsed))
    message.reserved(4)
    return message.bytes
  }

  /// UBX-NAV-VELNED (0x01 0x12).
  func velned() -> [UInt8] {
    var message = begin(0x12)
    for component in [epoch.velocityNorth, epoch.velocityEast, epoch.velocityDown] {
      message.scaled(hasFix ? component * 100 : 0, Int32.self)
    }
    let horizontal = epoch.speedMetersPerSecond
    let speed = (horizontal * horizontal + epoch.velocityDown * epoch.velocityDown).squareRoot()
    message.scaled(hasFix ? speed * 100 : 0, UInt32.self)
    message.scaled(hasFix ? horizontal * 100 : 0, UInt32.self)
    message.scaled(hasFix ? (epoch.course?.degrees ?? 0) * 1e5 : 0, Int32.self)
    message.scaled(hasFix ? max(1, epoch.speedDeviation * 100) : 2000, UInt32.self)
    message.scaled((hasFix ? epoch.courseDeviation : 180) * 1e5, UInt32.self)
    return message.bytes
  }

  /// UBX-NAV-TIMEUTC (0x01 0x21).
  func timeutc() -> [UInt8] {
    var message = begin(0x21)
    let time = UBXTime(epoch)
    message.integer(time.accuracy)
    message.integer(time.nanosecond)
    time.append(to: &message)
    // validTOW, validWKN, validUTC.
    message.integer(
      UInt8(
        (time.knowsTime ? 1 : 0) | (time.knowsDate ? 2 : 0) | (time.knowsDate && time.knowsLeapSeconds ? 4 : 0)))
    return message.bytes
  }

  /// UBX-NAV-SVINFO (0x01 0x30); `chip` is `chipGen` of the global flags.
  func svinfo(chip: UInt8) -> [UInt8] {
    var message = begin(0x30)
    message.integer(UInt8(clamping: epoch.satellites.count))
    message.integer(chip)
    message.reserved(2)
    for (channel, satellite) in epoch.satellites.prefix(255).enumerated() {
      message.integer(UInt8(channel))
      message.integer(satellite.number)
      // svUsed, orbitAvail, orbitEph.
      message.integer(UInt8(satellite.isUsed ? 0b1101 : 0))
      message.integer(UInt8(satellite.isUsed ? 7 : 4))
      message.integer(satellite.signal)
      message.integer(satellite.elevation)
      message.integer(satellite.azimuth)
      message.integer(Int32(0))
    }
    return message.bytes
  }
}

extension SimulatedPosition {
  /// Earth-centred, earth-fixed coordinates in metres.
  fileprivate var earthCentered: (x: Double, y: Double, z: Double) {
    let (sinLatitude, cosLatitude) = (Math.sin(coordinate.latitude.radians), Math.cos(coordinate.latitude.radians))
    let (sinLongitude, cosLongitude) = (Math.sin(coordinate.longitude.radians), Math.cos(coordinate.longitude.radians))
    let normal = Ellipsoid.wgs84.primeVerticalRadius(at: coordinate.latitude)
    let height = heightAboveEllipsoid.value
    return (
      (normal + height) * cosLatitude * cosLongitude, (normal + height) * cosLatitude * sinLongitude,
      (normal * (1 - Ellipsoid.wgs84.eccentricitySquared) + height) * sinLatitude
    )
  }
}

extension SimulatedEpoch {
  /// The velocity along the axes of `earthCentered`, in metres per second.
  fileprivate var earthCenteredVelocity: (x: Double, y: Double, z: Double) {
    let (sinLatitude, cosLatitude) = (
      Math.sin(position.coordinate.latitude.radians), Math.cos(position.coordinate.latitude.radians)
    )
    let (sinLongitude, cosLongitude) = (
      Math.sin(position.coordinate.longitude.radians), Math.cos(position.coordinate.longitude.radians)
    )
    let outward = -velocityNorth * sinLatitude - velocityDown * cosLatitude
    return (
      outward * cosLongitude - velocityEast * sinLongitude, outward * sinLongitude + velocityEast * cosLongitude,
      velocityNorth * cosLatitude - velocityDown * sinLatitude
    )
  }
}
