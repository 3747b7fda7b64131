import Geodesy
import Testing
import TimeService
import WireFormats

/// The layouts of chrony (refclock_sock.c, `struct sock_sample`) and of NTP's driver 28 (`struct shmTime`), byte by byte.
@Suite struct SinkTests {
  private func bytes<let size: Int>(_ array: InlineArray<size, UInt8>) -> [UInt8] { (0..<size).map { array[$0] } }

  private func native(_ value: some FixedWidthInteger) -> [UInt8] {
    let bytes = stride(from: 0, to: value.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
    #if _endian(big)
      return bytes.reversed()
    #else
      return bytes
    #endif
  }

  @Test func sock() {
    let sample = SockSample(
      system: GNSSTime(nanosecondsSince1970: 1_772_323_200_123_456_789), offsetSeconds: -0.1003, leap: .insert)
    var expected = native(1_772_323_200 as Int64)
    expected += native(123_456 as Int64)
    expected += native((-0.1003).bitPattern)
    for number in [0, 1, 0, 0x534F_434B] as [Int32] { expected += native(number) }
    #expect(expected.count == 40 && bytes(sample.encoded) == expected)
  }

  #if _endian(little)
    /// The same as fixed bytes.
    @Test func sockInFull() {
      let sample = SockSample(
        system: GNSSTime(nanosecondsSince1970: 1_000_000_500), offsetSeconds: 1, isPulse: true, leap: .delete)
      #expect(
        bytes(sample.encoded) == [
          1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0xBF, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0,
          0,
          0x4B, 0x43, 0x4F, 0x53,
        ])
    }
  #endif

  /// Before 1970 the microseconds are positive too.
  @Test func sockBefore1970() {
    let sample = SockSample(system: GNSSTime(nanosecondsSince1970: -1), offsetSeconds: 0)
    #expect(Array(bytes(sample.encoded).prefix(16)) == native(-1 as Int64) + native(999_999 as Int64))
  }

  @Test func sharedMemory() {
    let sample = SharedMemorySample(
      system: GNSSTime(nanosecondsSince1970: 1_772_323_199_900_000_001),
      time: GNSSTime(nanosecondsSince1970: 1_772_323_200_123_456_789), leap: .delete, precision: -7)
    // mode, count; true time, padding; system's clock; leap, precision, samples, valid, nanoseconds; not used, padding.
    var expected: [UInt8] = []
    for number in [1, 8] as [Int32] { expected += native(number) }
    expected += native(1_772_323_200 as Int64)
    for number in [123_456, 0] as [Int32] { expected += native(number) }
    expected += native(1_772_323_199 as Int64)
    for number in [900_000, 2, -7, 0, 1, 123_456_789, 900_000_001] as [Int32] { expected += native(number) }
    expected += [UInt8](repeating: 0, count: 36)
    #expect(expected.count == 96 && bytes(sample.encoded(count: 8, isValid: true)) == expected)
    #expect(bytes(sample.encoded(count: 8, isValid: false))[48] == 0)
  }

  @Test func sharedMemoryFromAnOffset() {
    let system = GNSSTime(nanosecondsSince1970: 1_772_323_200_000_000_000)
    let sample = SharedMemorySample(system: system, offsetSeconds: -86_400.1, precision: -7)
    #expect(abs((sample.time - system).inSeconds + 86_400.1) < 1e-8)
  }

  @Test(arguments: [(0, 1, 2), (1, 1, 2), (2, 3, 4), (Int32.max - 1, Int32.max, Int32.min)])
  func countsOfSharedMemory(before: Int32, writing: Int32, complete: Int32) {
    let counts = SharedMemorySample.counts(after: before)
    #expect(counts.writing == writing && counts.complete == complete)
  }

  // MARK: Leap seconds

  private func message(source: UInt8, change: Int8, seconds: Int32, valid: UInt8 = 3) -> NavTIMELS? {
    var payload: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 2, 18, source, UInt8(bitPattern: change)]
    let bits = UInt32(bitPattern: seconds)
    payload += [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: bits >> $0) } + [0x89, 7, 7, 0, 0, 0, 0, valid]
    var decoder = WireDecoder()
    var message: NavTIMELS?
    decoder.push(UBXFrame.encode(class: 1, id: 0x26, payload: payload).span) {
      if case .ubx(.navTIMELS(let leap)) = $0 { message = leap }
    }
    return message
  }

  @Test func announcedLeapSecond() throws {
    let now = Instant(nanoseconds: 0)
    let inserting = try #require(message(source: 2, change: 1, seconds: 50_000))
    let leap = try #require(LeapAnnouncement(inserting, at: now))
    #expect(leap.indicator(at: now) == .none && leap.indicator(at: now + .seconds(6800)) == .none)
    #expect(
      leap.indicator(at: now + .seconds(6801)) == .insert && leap.indicator(at: now + .seconds(49_999)) == .insert)
    #expect(leap.indicator(at: now + .seconds(50_000)) == .none)
    let deleting = try #require(message(source: 5, change: -1, seconds: 60))
    let deleted = try #require(LeapAnnouncement(deleting, at: now))
    #expect(deleted.indicator(at: now) == .delete)
  }

  @Test func notAnnounced() throws {
    let now = Instant(nanoseconds: 0)
    let others = [
      // Nothing scheduled; the past; an augmentation system; no source; not valid.
      message(source: 2, change: 0, seconds: 100), message(source: 2, change: 1, seconds: -5),
      message(source: 2, change: 1, seconds: 0), message(source: 3, change: 1, seconds: 100),
      message(source: 0, change: 1, seconds: 100), message(source: 2, change: 1, seconds: 100, valid: 1),
      message(source: 2, change: 2, seconds: 100),
    ]
    for other in others {
      let message = try #require(other)
      #expect(LeapAnnouncement(message, at: now) == nil)
    }
  }
}
