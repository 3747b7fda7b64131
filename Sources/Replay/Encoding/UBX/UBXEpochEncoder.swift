import Geodesy

/// Says an epoch in UBX of protocol 15 and later: NAV-PVT and what goes with it (u-blox 8 and M8, UBX-13003221; u-blox 9,
/// UBX-18010854). `UBXEpochEncoder+Legacy` has what older ones say.
struct UBXEpochEncoder: Sendable {
  let epoch: SimulatedEpoch

  var hasFix: Bool { epoch.solution != .none }

  /// A message of class NAV that begins with the time of week, as all do.
  func begin(_ id: UInt8) -> UBXFrameBuilder {
    var message = UBXFrameBuilder(class: 0x01, id: id)
    message.integer(epoch.timeOfWeekMilliseconds)
    return message
  }

  /// UBX-NAV-PVT (0x01 0x07): 84 bytes without `headVeh`, `magDec`, `magAcc` up to u-blox 7, then 92.
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
    message.integer(UInt8(hasFix ? 1 : 0))
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
      // flags3: invalidLlh.
      message.integer(UInt16(hasFix ? 0 : 1))
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
      // qualityInd: code and carrier locked, or code only; svUsed; healthy; orbit from the ephemeris.
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
