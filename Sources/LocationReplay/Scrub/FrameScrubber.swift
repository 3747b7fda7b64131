import Geodesy
import WireFormats

/// Scrubs one UBX frame with a correct checksum: moves positions, rotates directions, keeps what is harmless, and zeros the payload
/// of everything else. Offsets as in u-blox F9 interface description UBX-21048598, and in u-blox 7 GPS.G7-SW-12001 for what the
/// former no longer contains.
struct FrameScrubber {
  var payload: PayloadEditor
  var anonymization: Anonymization

  /// The frame `frame` of six header bytes, payload and checksum, scrubbed.
  static func scrub(_ frame: [UInt8], _ anonymization: inout Anonymization) -> [UInt8] {
    let (messageClass, id) = (frame[2], frame[3])
    let verdict = anonymization.verdict(on: frame)
    let payload = Array(frame[6..<(frame.count - 2)])
    var scrubber = FrameScrubber(payload: PayloadEditor(bytes: payload), anonymization: anonymization)
    if verdict != .malformed, payload.isEmpty || scrubber.rewrite(messageClass, id) {
      let scrubbed = UBXFrame.encode(class: messageClass, id: id, payload: scrubber.payload.bytes)
      if scrubber.anonymization.verdict(on: scrubbed) == verdict {
        anonymization = scrubber.anonymization
        return scrubbed
      }
    }
    if verdict == .unknown, anonymization.options.keepsUnknown { return frame }
    anonymization.tally.framesBlanked += 1
    // If the decoder did not understand the original, it must not understand the result either.
    let filler: UInt8 = verdict == .unknown ? 0 : 0xFF
    return UBXFrame.encode(class: messageClass, id: id, payload: payload.map { _ in filler })
  }

  /// Whether a message of that length reveals nothing about a position.
  private static func isHarmless(_ messageClass: UInt8, _ id: UInt8, length: Int) -> Bool {
    switch (messageClass, id) {
    // NAV-STATUS, DOP, EOE.
    case (0x01, 0x03): length == 16
    case (0x01, 0x04): length == 18
    case (0x01, 0x61): length == 4
    // NAV-TIMEGPS, TIMEUTC, CLOCK, TIMEGLO, TIMEBDS, TIMEGAL, TIMELS, TIMEQZSS.
    case (0x01, 0x20): length == 16
    case (0x01, 0x21), (0x01, 0x22), (0x01, 0x23), (0x01, 0x24), (0x01, 0x25), (0x01, 0x27): length == 20
    case (0x01, 0x26): length == 24
    // ACK-NAK, ACK-ACK.
    case (0x05, 0x00), (0x05, 0x01): length == 2
    // CFG-PRT, MSG, RATE.
    case (0x06, 0x00): length == 20
    case (0x06, 0x01): length == 3 || length == 8
    case (0x06, 0x08): length == 6
    // MON-VER, HW, HW2, RXBUF, TXBUF, RF.
    case (0x0A, 0x04): length >= 40 && (length - 40) % 30 == 0
    case (0x0A, 0x09): length == 60 || length == 68
    case (0x0A, 0x0B): length == 28
    case (0x0A, 0x07): length == 24
    case (0x0A, 0x08): length == 28
    case (0x0A, 0x38): length >= 4 && (length - 4) % 24 == 0
    // TIM-TP.
    case (0x0D, 0x01): length == 16
    default: false
    }
  }

  /// Changes the payload according to the message's kind; `false` if that is unknown.
  private mutating func rewrite(_ messageClass: UInt8, _ id: UInt8) -> Bool {
    let length = payload.bytes.count
    if Self.isHarmless(messageClass, id, length: length) {
      // MON-VER is text.
      return (messageClass, id) != (0x0A, 0x04) || KnownText.isHarmless(payload.bytes)
    }
    switch (messageClass, id) {
    case (0x01, 0x01) where length == 20: posECEF()
    case (0x01, 0x02) where length == 28: posLLH()
    case (0x01, 0x06) where length == 52: sol()
    case (0x01, 0x07) where length == 84 || length == 92: pvt()
    case (0x01, 0x11) where length == 20: velocityECEF(4)
    case (0x01, 0x12) where length == 36: velNED()
    case (0x01, 0x13) where length == 28: highPrecisionECEF()
    case (0x01, 0x14) where length == 36: highPrecisionLLH()
    case (0x01, 0x30) where length >= 8 && length == 8 + 12 * Int(payload.u1(4)): svInfo()
    case (0x01, 0x35) where length >= 8 && length == 8 + 12 * Int(payload.u1(5)): sat()
    case (0x01, 0x36) where length == 64: covariance()
    case (0x01, 0x43) where length >= 8 && length == 8 + 16 * Int(payload.u1(5)): signals()
    // INF-*: text.
    case (0x04, 0x00...0x04): return KnownText.contains(payload.bytes)
    // SEC-UNIQID: identifies the receiver.
    case (0x27, 0x03) where length == 9 || length == 10: payload.clear(4..<length)
    default: return false
    }
    return true
  }
}

/// Messages about satellites.
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
          clamping: Int(number) + Int(anonymization.satellites.number(of: id)) - Int(id.number))
      }
      place(id, elevation: start + 5, azimuth: start + 6)
    }
  }

  mutating func signals() {
    for start in stride(from: 8, to: payload.bytes.count, by: 16) {
      renumber(start)
      // Two GLONASS satellites share each frequency channel, so the channel almost identifies a satellite. freqId is the channel plus
      // 7: the scrubbed value is channel 0.
      if !anonymization.options.keepsSky, payload.u1(start) == Constellation.glonass.rawValue {
        payload.bytes[start + 3] = 7
      }
    }
  }

  /// Replaces the satellite's number (svId) after its constellation (gnssId) at `offset`; returns the original
  /// satellite, or `nil` if the constellation is unknown.
  @discardableResult
  private mutating func renumber(_ offset: Int) -> SatelliteID? {
    guard let constellation = Constellation(rawValue: payload.u1(offset)) else { return nil }
    let id = SatelliteID(constellation, payload.u1(offset + 1))
    payload.bytes[offset + 1] = anonymization.satellites.number(of: id)
    return id
  }

  private mutating func place(_ id: SatelliteID?, elevation: Int, azimuth: Int) {
    let isKnown = (-90...90).contains(payload.i1(elevation)) && (payload.i1(elevation) != 0 || payload.i2(azimuth) != 0)
    guard isKnown, !anonymization.options.keepsSky else { return }
    let sky = id.flatMap { anonymization.satellites.sky(of: $0) } ?? (45, 0)
    payload.bytes[elevation] = UInt8(sky.elevation)
    payload.putI2(sky.azimuth, azimuth)
  }
}

/// Scrubs one RTCM 3 frame with a correct checksum: zeros a base station's position and measurements, and keeps the message number
/// (its first twelve bits, RTCM 10403.3, section 3.5).
enum CorrectionScrubber {
  static func scrub(_ frame: [UInt8], _ anonymization: inout Anonymization) -> [UInt8] {
    guard !anonymization.options.keepsUnknown else { return frame }
    anonymization.tally.framesBlanked += 1
    var frame = frame
    let end = frame.count - 3
    if end > 4 { frame[4] &= 0xF0 }
    for place in min(5, end)..<end { frame[place] = 0 }
    var crc = CRC24Q()
    for place in 0..<end { crc.add(frame[place]) }
    for (index, shift) in [16, 8, 0].enumerated() { frame[end + index] = UInt8(truncatingIfNeeded: crc.value >> shift) }
    return frame
  }
}
