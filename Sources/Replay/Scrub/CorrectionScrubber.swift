import WireFormats

/// Scrubs one RTCM 3 frame with a right checksum: a base station's place, and what was measured there, become zeros; which
/// message it was stays (its first twelve bits, RTCM 10403.3, section 3.5).
enum CorrectionScrubber {
  static func scrub(_ frame: [UInt8], _ disguise: inout Disguise) -> [UInt8] {
    guard !disguise.options.keepsUnknown else { return frame }
    disguise.tally.framesBlanked += 1
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
