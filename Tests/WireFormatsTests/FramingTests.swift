import TestSupport
import Testing
import WireFormats

/// Frames are detected in any mixture, however the bytes are cut.
@Suite struct FramingTests {
  /// NMEA, UBX, RTCM 3, noise and all kinds of damage together.
  static let mixture = mix()

  private static func mix() -> [UInt8] {
    let gga = NMEASentence.encode("GNGGA,021417.00,3725.58362,N,12205.61915,W,5,12,0.76,4.4,M,-30.0,M,0.0,2000")
    let gsv = NMEASentence.encode("GPGSV,3,1,10,02,25,181,42,06,45,146,45,12,19,292,47,13,17,209,43,1")
    let list = NMEASentence.encode("PUBX,03,02,23,-,,,45,010,33,U,180,-05,,000")
    let pvt = UBXFrame.encode(class: 0x01, id: 0x07, payload: UBXSample.navPVT)
    let sat = UBXFrame.encode(class: 0x01, id: 0x35, payload: UBXSample.satellites(40))
    var random = SplitMix64(seed: 0x77)
    let noise: [UInt8] = (0..<300).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let pieces: [[UInt8]] = [
      [0xFF, 0x00], Array(gga.dropFirst(20)), gga, gsv, pvt, sat, list,
      // A valid frame inside a broken one.
      Array(gga.prefix(30)), pvt, Array(pvt.prefix(40)), gga, Array(sat.prefix(100)), pvt,
      // The star has lost its checksum.
      Array("$GNVTG,65.13,T,52.07,M,0.028,N,0.053,K,D*$GNVTG,65.13,T,52.07,M,0.028,N,0.053,K,D*35\r\n".utf8),
      RTCMSample.frame(length: 19), RTCMSample.frame(length: 0), RTCMSample.broken, gga, RTCMSample.frame(length: 1023),
      [UInt8(ascii: "$")], [UInt8](repeating: UInt8(ascii: "A"), count: 5000), gsv,
      // Impossible lengths, and lengths for which not enough bytes follow.
      [0xB5, 0x62, 0x01, 0x35, 0xFF, 0xFF], gga, [0xB5, 0x62, 0x0A, 0x04, 0xF8, 0x1F], gga, pvt,
      [0xB5, 0xB5, 0x62], pvt, [0xD3, 0xD3, 0x00], gga, noise, list, [0x24, 0x24, 0x21, 0x2A, 0x2A],
      Array(noise.reversed()), Array("$$$*00*00\r\n$*00\r\n".utf8), gga,
      [UInt8](repeating: 0, count: WireDecoder.maximumFrame), gga,
    ]
    return Array(pieces.joined())
  }

  private func expectSame(_ pieces: [[UInt8]], _ comment: Comment) {
    let whole = Decoding(Self.mixture)
    let cut = Decoding(pieces: pieces)
    #expect(cut.counters == whole.counters, comment)
    #expect(cut.messages.count == whole.messages.count, comment)
    #expect(zip(cut.messages, whole.messages).allSatisfy { $0.text == $1.text }, comment)
    #expect(cut.hasPendingBytes == whole.hasPendingBytes, comment)
  }

  @Test func mixtureIsRead() {
    let counters = Decoding(Self.mixture).counters
    #expect(counters.validUBX == 6 && counters.skippedRTCM == 3 && counters.validNMEA == 15)
    #expect(counters.malformed == 0 && counters.unknown == 2 && counters.noiseBytes > 10_000)
    #expect(counters.frameBytes + counters.noiseBytes == UInt64(Self.mixture.count))
  }

  @Test func byteByByte() { expectSame(Self.mixture.map { [$0] }, "byte by byte") }

  @Test(arguments: [2, 3, 7, 64, 127, 128, 129, 255, 4096, 8199, 8200]) func equalPieces(length: Int) {
    let pieces = stride(from: 0, to: Self.mixture.count, by: length).map { start in
      Array(Self.mixture[start..<min(start + length, Self.mixture.count)])
    }
    expectSame(pieces, "pieces of \(length)")
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>) func randomPieces(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let longest = [3, 40, 400, 4000][Int(seed % 4)]
    var pieces: [[UInt8]] = []
    var start = 0
    while start < Self.mixture.count {
      let end = min(start + Int.random(in: 0...longest, using: &random), Self.mixture.count)
      pieces.append(Array(Self.mixture[start..<end]))
      start = end
    }
    expectSame(pieces, "seed \(seed)")
  }

  @Test(arguments: [0, 1, 19, 255, 256, 1023]) func correctionsAreSkipped(length: Int) {
    let decoding = Decoding(RTCMSample.frame(length: length))
    #expect(decoding.messages.isEmpty && decoding.counters.skippedRTCM == 1 && decoding.counters.noiseBytes == 0)
    #expect(!decoding.hasPendingBytes)
  }

  @Test func correctionsWithAWrongSum() {
    let decoding = Decoding(RTCMSample.broken + NMEASentence.encode("GPHDT,1.0,T"))
    #expect(decoding.counters.skippedRTCM == 0 && decoding.counters.checksumErrors == 1)
    #expect(decoding.counters.noiseBytes == UInt64(RTCMSample.broken.count) && decoding.messages.count == 1)
  }

  /// A sentence that contains the beginning of the next one does not remove the next one.
  @Test func mergedSentences() {
    let decoding = Decoding(
      Array("$GNVTG,65.13,T,52.07,M,0.028,N*$GNVTG,65.13,T,52.07,M,0.028,N,0.053,K,D*35\r\n".utf8))
    #expect(decoding.messages.count == 1 && decoding.counters.validNMEA == 1 && decoding.counters.checksumErrors == 1)
    #expect(decoding.counters.noiseBytes == 31)
  }

  @Test func frameInsideABrokenOne() {
    let good = UBXFrame.encode(class: 0x05, id: 0x01, payload: [6, 0x8A])
    let decoding = Decoding(UBXFrame.encode(class: 0x02, id: 0x13, payload: good + good).dropLast() + [0])
    #expect(decoding.messages.count == 2 && decoding.counters.validUBX == 2)
    #expect(decoding.counters.checksumErrors == 1 && decoding.counters.noiseBytes == 8)
  }

  @Test func longestLine() {
    let content = "PSTM" + String(repeating: "A", count: WireDecoder.maximumLine - 6)
    #expect(Decoding(sentence: content).counters.validNMEA == 1)
    let decoding = Decoding(sentence: content + "A")
    #expect(decoding.counters.validNMEA == 0 && decoding.counters.checksumErrors == 1)
  }

  @Test func longestFrame() {
    let payload = [UInt8](repeating: 0, count: 8192)
    #expect(Decoding(UBXFrame.encode(class: 0x02, id: 0x15, payload: payload)).counters.validUBX == 1)
    let decoding = Decoding(
      UBXFrame.encode(class: 0x02, id: 0x15, payload: payload + [0]) + NMEASentence.encode("GPHDT,1.0,T"))
    #expect(decoding.counters.validUBX == 0 && decoding.counters.validNMEA == 1)
  }

  /// Bytes that are held back because of a damaged length are decoded after the line has been silent.
  @Test func damagedLength() {
    var frame = UBXFrame.encode(class: 0x01, id: 0x07, payload: UBXSample.navPVT)
    frame[5] = 0x1F
    let good = UBXFrame.encode(class: 0x01, id: 0x07, payload: UBXSample.navPVT)
    let line = NMEASentence.encode("GPHDT,1.0,T")
    var decoder = WireDecoder()
    var count = 0
    let bytes = frame + good + line + good + line.prefix(5)
    decoder.push(bytes.span) { _ in count += 1 }
    #expect(count == 0 && decoder.hasPendingBytes)
    decoder.resynchronize { _ in count += 1 }
    #expect(count == 3 && !decoder.hasPendingBytes)
    #expect(decoder.counters.validUBX == 2 && decoder.counters.validNMEA == 1)
    #expect(decoder.counters.noiseBytes == UInt64(frame.count + 5))
    decoder.push(line.span) { _ in count += 1 }
    #expect(count == 4)
  }

  @Test func resetForgetsWhatHasBegun() {
    let line = NMEASentence.encode("GPHDT,1.0,T")
    var decoder = WireDecoder()
    var count = 0
    let beginning = Array(line.prefix(6))
    let rest = Array(line.dropFirst(6))
    decoder.push(beginning.span) { _ in count += 1 }
    #expect(decoder.hasPendingBytes)
    decoder.reset()
    #expect(!decoder.hasPendingBytes && decoder.counters.noiseBytes == 6)
    decoder.push(rest.span) { _ in count += 1 }
    decoder.push(line.span) { _ in count += 1 }
    #expect(count == 1)
  }

  /// Each header of an invalid frame requests a checksum over 8 KiB: only a limited number of them is computed, and the bytes
  /// that follow are decoded.
  @Test func headsOfFramesThatAreInvalidCostLittle() {
    let head: [UInt8] = [0xB5, 0x62, 0x01, 0x01, 0xF8, 0x1F]
    let heads = Array(repeating: head, count: 20_000).flatMap { $0 }
    let pvt = UBXFrame.encode(class: 0x01, id: 0x07, payload: UBXSample.navPVT)
    let quiet = [UInt8](repeating: 0, count: WireDecoder.maximumFrame)
    let counters = Decoding(heads + quiet + pvt).counters
    // 16 bytes of checksum for each byte on the line, plus the initial allowance.
    let work = counters.checksumErrors * 8184
    #expect(work <= UInt64(16 * (heads.count + quiet.count + WireDecoder.maximumFrame)))
    #expect(work > 0 && counters.validUBX == 1)
  }
}
