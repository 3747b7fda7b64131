import TestSupport
import Testing
import WireFormats

/// The checksum of bytes that are processed eight at a time is the same as one by one.
@Suite struct CRC32CTests {
  @Test func anyLengthInAnyPartsIsTheSame() {
    var random = SplitMix64(seed: 32)
    for length in 0..<200 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      let cut = Int.random(in: 0...length, using: &random)
      var checksum = CRC32C()
      checksum.add(bytes.span.extracting(..<cut))
      checksum.add(bytes.span.extracting(cut...))
      #expect(checksum.value == CRC32C.of(bytes))
    }
    var checksum = CRC32C()
    checksum.add(Array("123456789".utf8).span)
    #expect(checksum.value == 0xE306_9283)
  }
}
