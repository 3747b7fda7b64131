import Geodesy
import LocationReplay
import Testing
import WireFormats

/// Message by message: what is moved consistently, what is kept, and what becomes zero.
@Suite struct FrameScrubberTests {
  private typealias Payload = [UInt8]

  private func i4(_ value: Double) -> [UInt8] {
    let bits = UInt32(bitPattern: Int32(value.rounded()))
    return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
  }

  private func number(_ payload: some Collection<UInt8>, _ offset: Int) -> Double {
    let bytes = Array(payload)
    return Double(Int32(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << (8 * $1) }))
  }

  /// The payloads of `messages`, scrubbed one after the other.
  private func scrub(_ messages: [(UInt8, UInt8, Payload)], seed: UInt64 = 1) -> [Payload] {
    let bytes = messages.flatMap { UBXFrame.encode(class: $0.0, id: $0.1, payload: $0.2) }
    let output = ScrubBench.scrub(bytes, seed: seed)
    #expect(ScrubBench.counters(output).validUBX == UInt64(messages.count))
    var start = 0
    return messages.map { message in
      defer { start += message.2.count + 8 }
      return Array(output[(start + 6)..<(start + 6 + message.2.count)])
    }
  }

  private let latitude = 47.2850000
  private let longitude = 8.5650000

  /// NAV-PVT at that position, 455 m above the ellipsoid, 407.5 m above sea level, moving at 20 m/s on a course of 60°.
  private var pvt: Payload {
    var payload = Payload(repeating: 0, count: 92)
    payload[20] = 3
    payload[21] = 0x21
    payload.replaceSubrange(24..<40, with: i4(longitude * 1e7) + i4(latitude * 1e7) + i4(455_000) + i4(407_500))
    payload.replaceSubrange(48..<68, with: i4(10_000) + i4(17_321) + i4(0) + i4(20_000) + i4(60e5))
    payload.replaceSubrange(84..<92, with: i4(60e5) + [0x2C, 0x01, 0x64, 0x00])
    return payload
  }

  /// The position in Earth-centered coordinates in centimeters (computed independently, from the equations of the ellipsoid).
  private var ecef: [Double] {
    let vertical = Ellipsoid.wgs84.primeVerticalRadius(at: Angle(degrees: latitude))
    let (φ, λ) = (Angle(degrees: latitude).radians, Angle(degrees: longitude).radians)
    let flat = 1 - Ellipsoid.wgs84.eccentricitySquared
    return [
      (vertical + 455) * Math.cos(φ) * Math.cos(λ), (vertical + 455) * Math.cos(φ) * Math.sin(λ),
      (vertical * flat + 455) * Math.sin(φ),
    ].map { $0 * 100 }
  }

  @Test func allMessagesReportTheSamePlace() {
    let point = ecef.flatMap { i4($0) }
    let llh = Payload(repeating: 0, count: 4) + i4(longitude * 1e7) + i4(latitude * 1e7) + i4(455_000) + i4(407_500)
    var high = Payload(repeating: 0, count: 36)
    high.replaceSubrange(
      8..<28, with: i4(longitude * 1e7) + i4(latitude * 1e7) + i4(455_000) + i4(407_500) + [0, 0, 0, 0])
    for seed in 1...5 as ClosedRange<UInt64> {
      let said = scrub(
        [
          (0x01, 0x07, pvt), (0x01, 0x02, llh + Payload(repeating: 0, count: 8)), (0x01, 0x14, high),
          (0x01, 0x01, Payload(repeating: 0, count: 4) + point + i4(100)),
          (0x01, 0x13, Payload(repeating: 0, count: 8) + point + i4(0) + i4(100)),
        ], seed: seed)
      let place = said[0]
      #expect(number(place, 24) != longitude * 1e7)
      #expect(said[1][4..<20] == place[24..<40])
      #expect(said[2][8..<24] == place[24..<40])
      #expect(said[4][8..<20] == said[3][4..<16])
      // The forward conversion from the position in the other messages must give the Earth-centered coordinates.
      let (φ, λ) = (Angle(degrees: number(place, 28) * 1e-7), Angle(degrees: number(place, 24) * 1e-7))
      let vertical = Ellipsoid.wgs84.primeVerticalRadius(at: φ)
      let height = number(place, 32) / 1000
      let expected = [
        (vertical + height) * Math.cos(φ.radians) * Math.cos(λ.radians),
        (vertical + height) * Math.cos(φ.radians) * Math.sin(λ.radians),
        (vertical * (1 - Ellipsoid.wgs84.eccentricitySquared) + height) * Math.sin(φ.radians),
      ]
      for axis in 0..<3 { #expect(abs(number(said[3], 4 + 4 * axis) / 100 - expected[axis]) < 0.05) }
    }
  }

  @Test func motionTurnsAndKeepsItsSpeed() {
    let velocity = Payload(repeating: 0, count: 4) + i4(1000) + i4(1732) + i4(0) + i4(2000) + i4(2000) + i4(60e5)
    for seed in 1...5 as ClosedRange<UInt64> {
      let said = scrub([(0x01, 0x07, pvt), (0x01, 0x12, velocity + i4(10) + i4(1e5))], seed: seed)
      let (north, east) = (number(said[0], 48), number(said[0], 52))
      #expect(abs(Math.hypot(north, east) - 20_000) < 2)
      #expect(number(said[0], 60) == 20_000)
      let course = Angle(radians: Math.atan2(east, north)).degrees
      #expect(abs((course - number(said[0], 64) * 1e-5).remainder(dividingBy: 360)) < 0.01)
      #expect(abs(number(said[1], 24) - number(said[0], 64)) < 2)
      #expect(abs(number(said[1], 4) * 10 - north) < 10 && abs(number(said[1], 8) * 10 - east) < 10)
      // Magnetic declination.
      #expect(said[0][88..<90] == [0, 0])
      #expect(said[0][90] == 0x64)
    }
  }

  /// The Earth-centered velocity is that in north and east at the new position.
  @Test func velocityInTheEarthsAxesTurnsToo() {
    let (φ, λ) = (Angle(degrees: latitude).radians, Angle(degrees: longitude).radians)
    // 10 m/s north.
    let vector = [-Math.sin(φ) * Math.cos(λ), -Math.sin(φ) * Math.sin(λ), Math.cos(φ)].map { $0 * 1000 }
    let said = scrub([(0x01, 0x07, pvt), (0x01, 0x11, i4(0) + vector.flatMap { i4($0) } + i4(10))])
    let turn = Angle(degrees: number(said[0], 64) * 1e-5 - 60).radians
    let (φ2, λ2) = (
      Angle(degrees: number(said[0], 28) * 1e-7).radians, Angle(degrees: number(said[0], 24) * 1e-7).radians
    )
    let north = [-Math.sin(φ2) * Math.cos(λ2), -Math.sin(φ2) * Math.sin(λ2), Math.cos(φ2)]
    let east = [-Math.sin(λ2), Math.cos(λ2), 0]
    for axis in 0..<3 {
      let expected = 1000 * (Math.cos(turn) * north[axis] + Math.sin(turn) * east[axis])
      #expect(abs(number(said[1], 4 + 4 * axis) - expected) < 2)
    }
  }

  @Test(
    arguments: [
      (0x02, 0x15, 48), (0x02, 0x13, 40), (0x02, 0x14, 44), (0x01, 0x3C, 64), (0x13, 0x40, 24), (0x0B, 0x01, 48),
      (0x06, 0x8B, 24), (0x06, 0x3D, 28), (0x28, 0x00, 72), (0x10, 0x02, 20), (0x04, 0x02, 30), (0x01, 0x07, 100),
    ] as [(UInt8, UInt8, Int)]) func unknownValuesBecomeZeros(messageClass: UInt8, id: UInt8, length: Int)
  {
    let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 33) }
    let said = scrub([(messageClass, id, payload)])[0]
    #expect(said.allSatisfy { $0 == 0 || $0 == 0xFF })
    #expect(Set(said).count == 1)
  }

  @Test func theReceiverBelongsToNoOne() {
    #expect(scrub([(0x27, 0x03, [1, 0, 0, 0, 0x5C, 0x0F, 0xFE, 0xE0, 0x01])])[0] == [1, 0, 0, 0, 0, 0, 0, 0, 0])
    let version = Payload("EXT CORE 1.00 (61b2dd)".utf8) + Payload(repeating: 0, count: 48)
    #expect(scrub([(0x0A, 0x04, version)])[0] == version)
  }

  /// A damaged message keeps its header and nothing else, and stays invalid.
  @Test func aDamagedMessageHoldsNothing() {
    var frame = UBXFrame.encode(class: 1, id: 7, payload: pvt)
    frame[40] ^= 1
    let original = frame + ScrubBench.nmea("GPTXT,01,01,02,ANTSTATUS=OK")
    let scrubbed = ScrubBench.scrub(original)
    #expect(Array(scrubbed[..<6]) == Array(frame[..<6]))
    // Except for a byte that would begin a sentence, such as one in this message.
    #expect(scrubbed[6..<100].allSatisfy { $0 == 0 || $0 == UInt8(ascii: "!") })
    let counters = ScrubBench.counters(scrubbed)
    #expect(counters.validUBX == 0 && counters.validNMEA == 1)
    #expect(counters.checksumErrors == ScrubBench.counters(original).checksumErrors)
  }

  /// The position of a base station (RTCM 1005) becomes zeros in a frame that stays valid.
  @Test func correctionsHoldNothing() {
    var frame: [UInt8] = [0xD3, 0, 19, 0x3E, 0xD7] + (0..<17).map { UInt8(40 + $0 * 3) }
    var crc = CRC24Q()
    for byte in frame { crc.add(byte) }
    frame += [16, 8, 0].map { UInt8(truncatingIfNeeded: crc.value >> $0) }
    let scrubbed = ScrubBench.scrub(frame)
    #expect(Array(scrubbed[..<5]) == [0xD3, 0, 19, 0x3E, 0xD0])
    #expect(scrubbed[5..<22].allSatisfy { $0 == 0 })
    #expect(ScrubBench.counters(scrubbed).skippedRTCM == 1)
  }

  /// The ellipse of NAV-COV is rotated; its axes stay.
  @Test func covariancesTurn() {
    func r4(_ value: Float) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) } }
    func float(_ payload: Payload, _ offset: Int) -> Double {
      Double(Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(payload[offset + $1]) << (8 * $1) }))
    }
    // 3 m along 60°, 1 m across, aligned with the velocity.
    let (c, s) = (Math.cos(Angle(degrees: 60).radians), Math.sin(Angle(degrees: 60).radians))
    let nn = Float(9 * c * c + s * s)
    let ne = Float((9 - 1) * s * c)
    let ee = Float(9 * s * s + c * c)
    let half = r4(nn) + r4(ne) + r4(0) + r4(ee) + r4(0) + r4(4)
    let said = scrub([
      (0x01, 0x07, pvt), (0x01, 0x36, Payload([0, 0, 0, 0, 0, 1, 1]) + Payload(repeating: 0, count: 9) + half + half),
    ])
    let along = Angle(degrees: number(said[0], 64) * 1e-5).radians
    let (c2, s2) = (Math.cos(along), Math.sin(along))
    #expect(abs(float(said[1], 16) - (9 * c2 * c2 + s2 * s2)) < 1e-3)
    #expect(abs(float(said[1], 20) - 8 * s2 * c2) < 1e-3)
    #expect(abs(float(said[1], 28) - (9 * s2 * s2 + c2 * c2)) < 1e-3)
    #expect(float(said[1], 36) == 4)
  }
}
