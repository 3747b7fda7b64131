package import Geodesy

/// Reads and writes settings one at a time. Writes only to RAM, so that unplugging the receiver restores the old settings.
extension UBXFrame {
  /// Polls the settings of the port that receives this message: UBX-CFG-PRT (0x06 0x00).
  package static var pollPort: [UInt8] { encode(class: 0x06, id: 0x00) }
  /// Polls the output rate of a message on each port: UBX-CFG-MSG (0x06 0x01).
  package static func pollOutput(class messageClass: UInt8, id: UInt8) -> [UInt8] {
    encode(class: 0x06, id: 0x01, payload: [messageClass, id])
  }
  /// Polls the measurement rate: UBX-CFG-RATE (0x06 0x08).
  package static var pollRate: [UInt8] { encode(class: 0x06, id: 0x08) }
  /// Polls the navigation engine's settings: UBX-CFG-NAV5 (0x06 0x24).
  package static var pollNavigationEngine: [UInt8] { encode(class: 0x06, id: 0x24) }

  /// Polls the value of a key in RAM: UBX-CFG-VALGET (0x06 0x8B), version 0, layer 0.
  package static func pollValue(of key: UInt32) -> [UInt8] {
    encode(class: 0x06, id: 0x8B, payload: [0, 0, 0, 0] + littleEndian(key))
  }

  /// Sets a key in RAM: UBX-CFG-VALSET (0x06 0x8A), version 0, layer 1.
  package static func setValue(of key: UInt32, to value: [UInt8]) -> [UInt8] {
    encode(class: 0x06, id: 0x8A, payload: [0, 1, 0, 0] + littleEndian(key) + value)
  }

  /// The little-endian encoding of a number, as in UBX.
  package static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    stride(from: 0, to: Number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> Number($0)) }
  }
}

/// Power saving requests.
extension UBXFrame {
  /// Puts the receiver to sleep: UBX-RXM-PMREQ (0x02 0x41).
  ///
  /// - Parameters:
  ///   - milliseconds: the duration of sleep; 0 to sleep until any byte on the UART wakes it.
  ///   - isLegacy: the 8-byte form of generations 5 to 7.
  package static func backup(milliseconds: UInt32, isLegacy: Bool) -> [UInt8] {
    // Bit 1: backup.
    let request = littleEndian(milliseconds) + littleEndian(UInt32(1 << 1))
    // Version 0; wake up on UART RX (bit 3).
    let payload = isLegacy ? request : [0, 0, 0, 0] + request + littleEndian(UInt32(1 << 3))
    return encode(class: 0x02, id: 0x41, payload: payload)
  }

  /// Wakes a sleeping receiver: an edge on its line is enough, and this byte belongs to no message.
  package static let wakeUp: [UInt8] = [0xFF]

  /// Polls the power management's settings: UBX-CFG-PM2 (0x06 0x3B).
  package static var pollPowerManagement: [UInt8] { encode(class: 0x06, id: 0x3B) }
  /// Polls the power mode: UBX-CFG-RXM (0x06 0x11).
  package static var pollPowerMode: [UInt8] { encode(class: 0x06, id: 0x11) }
}

/// Assistance for the first fix: position, time, and the satellite data that the receiver had before.
extension UBXFrame {
  /// Polls the navigation database, since generation 8: UBX-MGA-DBD (0x13 0x80). The receiver answers with many messages, then
  /// UBX-MGA-ACK-DATA0.
  package static var pollDatabase: [UInt8] { encode(class: 0x13, id: 0x80) }
  /// Polls the satellite data of generations 5 to 7: UBX-AID-HUI (health, UTC, ionosphere), -EPH (ephemerides), -ALM
  /// (almanacs).
  package static var pollAidingData: [UInt8] {
    encode(class: 0x0B, id: 0x02) + encode(class: 0x0B, id: 0x31) + encode(class: 0x0B, id: 0x30)
  }

  /// Sends the time: UBX-MGA-INI-TIME_UTC (0x13 0x40, type 0x10). `nil` if the time has no calendar date.
  ///
  /// - Parameters:
  ///   - time: UTC at the arrival of this frame.
  ///   - error: the accuracy of the time.
  package static func initialTime(_ time: GNSSTime, error: Duration) -> [UInt8]? {
    guard let clock = CivilTime(time) else { return nil }
    // Type, version, time reference (arrival of the frame), number of leap seconds (-128: unknown).
    var payload: [UInt8] = [0x10, 0, 0, 0x80]
    payload += littleEndian(UInt16(clock.date.year))
    payload += [clock.date.month, clock.date.day, clock.hour, clock.minute, clock.second, 0]
    payload += littleEndian(clock.nanosecond)
    let whole = max(0, error.components.seconds)
    payload += littleEndian(UInt16(clamping: whole)) + [0, 0]
    payload += littleEndian(UInt32(clamping: error.components.attoseconds / 1_000_000_000))
    return encode(class: 0x13, id: 0x40, payload: payload)
  }

  /// Sends the position: UBX-MGA-INI-POS_LLH (0x13 0x40, type 0x01).
  ///
  /// - Parameters:
  ///   - height: above the ellipsoid.
  ///   - error: the accuracy of the position (`posAcc`, a standard deviation).
  package static func initialPosition(_ place: Coordinate, height: Meters, error: Meters) -> [UInt8] {
    var payload: [UInt8] = [0x01, 0, 0, 0]
    payload += littleEndian(scaled(place.latitude.degrees * 1e7)) + littleEndian(scaled(place.longitude.degrees * 1e7))
    payload +=
      littleEndian(scaled(height.value * 100)) + littleEndian(UInt32(clamping: Int64(scaled(error.value * 100))))
    return encode(class: 0x13, id: 0x40, payload: payload)
  }

  /// Sends time and position to generations 5 to 7: UBX-AID-INI (0x0B 0x01). `nil` if there is neither a place nor a
  /// time with a calendar date.
  ///
  /// - Parameters:
  ///   - time: UTC and its accuracy.
  ///   - place: the coordinate, the height above the ellipsoid, and the accuracy of the position.
  package static func initialAid(
    time: (utc: GNSSTime, error: Duration)?, place: (coordinate: Coordinate, height: Meters, error: Meters)?
  ) -> [UInt8]? {
    let clock = time.flatMap { CivilTime($0.utc) }
    guard clock != nil || place != nil else { return nil }
    var flags: UInt32 = 0
    var payload: [UInt8] = []
    if let place {
      // Bit 0: position present; bit 5: as latitude, longitude and height.
      flags |= 1 | 1 << 5
      for value in [
        place.coordinate.latitude.degrees * 1e7, place.coordinate.longitude.degrees * 1e7, place.height.value * 100,
      ] {
        payload += littleEndian(scaled(value))
      }
      payload += littleEndian(UInt32(clamping: Int64(scaled(place.error.value * 100))))
    } else {
      payload += [UInt8](repeating: 0, count: 16)
    }
    payload += littleEndian(UInt16(0))
    if let time, let clock {
      // Bit 1: time present; bit 10: as UTC, year and month, then day, hour, minute and second, two digits each.
      flags |= 1 << 1 | 1 << 10
      payload += littleEndian(UInt16(clamping: Int(clock.date.year) % 100 * 100 + Int(clock.date.month)))
      let day = UInt32(clock.date.day) * 1_000_000
      payload += littleEndian(day + UInt32(clock.hour) * 10_000 + UInt32(clock.minute) * 100 + UInt32(clock.second))
      payload += littleEndian(Int32(clock.nanosecond))
      let (whole, part) = time.error.components
      payload += littleEndian(UInt32(clamping: whole * 1000 + part / 1_000_000_000_000_000))
      payload += littleEndian(UInt32(clamping: part % 1_000_000_000_000_000 / 1_000_000_000))
    } else {
      payload += [UInt8](repeating: 0, count: 18)
    }
    payload += [UInt8](repeating: 0, count: 8) + littleEndian(flags)
    return encode(class: 0x0B, id: 0x01, payload: payload)
  }

  private static func scaled(_ value: Double) -> Int32 {
    Int32(exactly: value.rounded()) ?? (value > 0 ? .max : .min)
  }

  /// A UTC time split into calendar date and clock fields.
  private struct CivilTime {
    let date: CalendarDate
    let hour, minute, second: UInt8
    let nanosecond: UInt32

    init?(_ time: GNSSTime) {
      guard let date = time.date else { return nil }
      self.date = date
      let (seconds, rest) = time.nanosecondsSinceMidnight.quotientAndRemainder(dividingBy: 1_000_000_000)
      nanosecond = UInt32(rest)
      hour = UInt8(seconds / 3600)
      minute = UInt8(seconds / 60 % 60)
      second = UInt8(seconds % 60)
    }
  }
}
