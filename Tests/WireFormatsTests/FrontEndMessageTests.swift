import Testing
import WireFormats

/// UBX-MON-RF and UBX-MON-HW, built according to UBX-21048598 (3.14.8) and UBX-13003221 (32.16.4).
@Suite struct FrontEndMessageTests {
  private func frontEnd(_ id: UInt8, _ payload: [UInt8]) -> MonRF? {
    guard case .monRF(let message)? = Decoding.ubx(0x0A, id, payload)?.first else { return nil }
    return message
  }

  @Test func theWorstOfTheBandsCounts() throws {
    // Version 0, two blocks: antenna ok and no jamming; antenna open and jammed.
    let first: [UInt8] = [0, 1, 2, 1] + Array(repeating: 0, count: 20)
    let second: [UInt8] = [1, 3, 4, 1] + Array(repeating: 0, count: 20)
    let message = try #require(frontEnd(0x38, [0, 2, 0, 0] + first + second))
    #expect(message.antenna == .open)
    #expect(message.isJammingCritical)
    let quiet = try #require(frontEnd(0x38, [0, 1, 0, 0] + first))
    #expect(quiet.antenna == .good)
    #expect(!quiet.isJammingCritical)
  }

  @Test(arguments: [60, 68]) func eachGenerationsHardwareIsRead(length: Int) throws {
    var payload = [UInt8](repeating: 0, count: length)
    payload[20] = 3
    payload[22] = 0b1100
    let message = try #require(frontEnd(0x09, payload))
    #expect(message.antenna == .short)
    #expect(message.isJammingCritical)
    payload[22] = 0b1000
    #expect(try #require(frontEnd(0x09, payload)).isJammingCritical == false)
  }

  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  /// Missing blocks, no blocks at all, and an antenna state that does not exist.
  @Test(arguments: [[], [0, 1, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 5] + zeros(21)] as [[UInt8]])
  func invalidMonRFIsRejected(payload: [UInt8]) { #expect(frontEnd(0x38, payload) == nil) }

  @Test(arguments: [zeros(59), zeros(61), [UInt8](repeating: 9, count: 60)])
  func invalidMonHWIsRejected(payload: [UInt8]) { #expect(frontEnd(0x09, payload) == nil) }
}
