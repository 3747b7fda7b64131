import Geodesy

/// Encodes an epoch as UBX: here NAV-PVT and its companions (u-blox 8 and M8, UBX-13003221; u-blox 9, UBX-18010854),
/// and the shorter NAV-PVT of u-blox 7. The extension below has the messages of older generations.
struct UBXEpochEncoder: Sendable {
  let epoch: SimulatedEpoch

  var hasFix: Bool { epoch.solution != .none }

  /// A message of class NAV that begins with the time of week, as all encoded here do.
  func begin(_ id: UInt8) -> UBXFrameBuilder {
    var message = UBXFrameBuilder(class: 0x01, id: id)
    message.integer(epoch.timeOfWeekMilliseconds)
    return message
  }

  /// UBX-NAV-PVT (0x01 0x07): up to u-blox 7 84 bytes, without `headVeh`, `magDec` and `magAcc`; later 92 bytes.
  func pvt(isLong: Bool) -> [UInt8] {
    var message = begin(0x07)
    let time = UBXTime(epoch)
    let isResolved = time.knowsTime && time.knowsDate && time.knowsLeapSeconds
    time.append(to: &message)
    // validDate, validTime, fullyResolved.
    message.integer(
      UInt8((time.knowsDate ? 1 : 0) | (time.knowsTime ? 2 : 0) | (isResolved ? 4 : 0)))
    message.integer(time.accuracy)
    message.integer(time.nanosecond)
    message.integer(fixType)
    // gnssFixOK, diffSoln, carrSoln.
    let isCorrected = epoch.carrier != .none
    message.integer(UInt8((hasFix ? 1 : 0) | (isCorrected ? 2 : 0)) | epoch.carrier.rawValue << 6)
    // confirmedAvai, confirmedDate, confirmedTime; reserved up to u-blox 7.
    message.integer(UInt8(isLong ? 0x20 | (isResolved ? 0xC0 : 0) : 0))
    message.integer(UInt8(clamping: epoch.satellitesUsed))
    position(to: &message)
    for component in [epoch.velocityNorth, epoch.velocityEast, epoch.velocityDown] {
      message.scaled(hasFix ? component * 1e3 : 0, Int32.self)
    }
    message.scaled(hasFix ? epoch.speedMetersPerSecond * 1e3 : 0, Int32.self)
    message.scaled(hasFix ? (epoch.course?.degrees ?? 0) * 1e5 : 0, Int32.self)
    message.scaled(hasFix ? max(1, epoch.speedDeviation * 1e3) : 20_000, UInt32.self)
    message.scaled((hasFix ? epoch.courseDeviation : 180) * 1e5, UInt32.self)
    message.scaled(epoch.dilution.position * 100, UInt16.self)
    if isLong {
      // flags3: invalidLlh, lastCorrectionAge.
      message.integer(UInt16(hasFix ? 0 : 1) | (isCorrected ? epoch.correctionAgeClass << 1 : 0))
      message.reserved(4)
      message.integer(Int32(0))
      message.integer(Int16(0))
      message.integer(UInt16(0))
    } else {
      message.reserved(6)
    }
    return message.bytes
  }

  /// UBX-NAV-SAT (0x01 0x35).
  func sat() -> [UInt8] {
    var message = begin(0x35)
    message.integer(UInt8(1))
    message.integer(UInt8(clamping: epoch.satellites.count))
    message.reserved(2)
    for satellite in epoch.satellites.prefix(255) {
      message.integer(satellite.system.rawValue)
      message.integer(satellite.number)
      message.integer(satellite.signal)
      message.integer(satellite.elevation)
      message.integer(satellite.azimuth)
      message.integer(Int16(0))
      // qualityInd: code and carrier locked, or code only; svUsed; healthy; orbit from the ephemeris, which is
      // available.
      message.integer(UInt32(satellite.isUsed ? 7 | 1 << 3 | 1 << 8 | 1 << 11 : 4) | 1 << 4)
    }
    return message.bytes
  }

  /// UBX-NAV-DOP (0x01 0x04).
  func dop() -> [UInt8] {
    var message = begin(0x04)
    let dilution = epoch.dilution
    let (time, axis) = (hasFix ? 0.88 : 99.99, hasFix ? dilution.horizontal / 2.0.squareRoot() : 99.99)
    let geometric = hasFix ? (dilution.position * dilution.position + time * time).squareRoot() : 99.99
    for value in [geometric, dilution.position, time, dilution.vertical, dilution.horizontal, axis, axis] {
      message.scaled(value * 100, UInt16.self)
    }
    return message.bytes
  }

  /// UBX-NAV-COV (0x01 0x36): covariances in north, east, down, of position in m² and velocity in m²/s².
  func cov() -> [UInt8] {
    var message = begin(0x36)
    message.integer(UInt8(0))
    message.integer(UInt8(hasFix ? 1 : 0))
    message.integer(UInt8(hasFix ? 1 : 0))
    message.reserved(9)
    let horizontal = hasFix ? epoch.horizontalDeviation * epoch.horizontalDeviation : 0
    let vertical = hasFix ? epoch.verticalDeviation * epoch.verticalDeviation : 0
    let speed = hasFix ? epoch.speedDeviation * epoch.speedDeviation : 0
    for value in [horizontal, 0, 0, horizontal, 0, vertical, speed, 0, 0, speed, 0, speed] { message.real(value) }
    return message.bytes
  }

  /// UBX-NAV-EOE (0x01 0x61).
  func eoe() -> [UInt8] { begin(0x61).bytes }

  /// Fix type of NAV-PVT and NAV-SOL.
  var fixType: UInt8 {
    switch epoch.solution {
    case .none: 0
    case .twoDimensional: 2
    case .threeDimensional: 3
    }
  }

  /// Appends lon, lat (I4 1e-7°), height, hMSL (I4 mm), hAcc, vAcc (U4 mm).
  func position(to message: inout UBXFrameBuilder) {
    message.scaled(hasFix ? epoch.position.coordinate.longitude.degrees * 1e7 : 0, Int32.self)
    message.scaled(hasFix ? epoch.position.coordinate.latitude.degrees * 1e7 : 0, Int32.self)
    message.scaled(hasFix ? epoch.position.heightAboveEllipsoid.value * 1e3 : 0, Int32.self)
    message.scaled(hasFix ? epoch.heightAboveMeanSeaLevel.value * 1e3 : 0, Int32.self)
    message.scaled(hasFix ? max(1, epoch.horizontalAccuracy * 1e3) : .infinity, UInt32.self)
    message.scaled(hasFix ? max(1, epoch.verticalDeviation * 1e3) : .infinity, UInt32.self)
  }
}

/// The messages of u-blox 5, 6 and 7 (GPS.G6-SW-10018, GPS.G7-SW-12001).
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

  /// UBX-NAV-TIMELS (0x01 0x26) of generation 8 and later; no leap second is announced.
  func timels() -> [UInt8] {
    var message = begin(0x26)
    message.reserved(4)
    // srcOfCurrLs: GPS, or the firmware's default.
    message.integer(UInt8(epoch.knowsLeapSeconds ? 2 : 0))
    message.integer(Int8(clamping: epoch.leapSeconds))
    // srcOfLsChange: GPS; no change, and the time since the last one.
    message.integer(UInt8(epoch.knowsLeapSeconds ? 2 : 0))
    message.integer(Int8(0))
    message.integer(Int32(-1))
    message.integer(UInt16(0))
    message.integer(UInt16(0))
    message.reserved(3)
    // validCurrLs, validTimeToLsEvent.
    message.integer(UInt8(epoch.knowsLeapSeconds ? 3 : 1))
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
  /// Earth-centered, earth-fixed coordinates in meters.
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
  /// The velocity along the axes of `earthCentered`, in meters per second.
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
