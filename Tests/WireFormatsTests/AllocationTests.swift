import CAllocationCounter
import Testing
import WireFormats

/// Decoding allocates nothing on the heap, whatever the input is.
@Suite(.enabled(if: CAllocationCounter_isAvailable(), "a sanitizer brings its own allocator"))
struct AllocationTests {
  @Test(arguments: [1, 7, 100, 4096]) func decodingAllocatesNothing(length: Int) {
    var bytes = FramingTests.mixture
    for content in RejectedSentenceTests.good { bytes += NMEASentence.encode(content) }
    for sample in RejectedUBXTests.samples {
      bytes += UBXFrame.encode(class: sample.messageClass, id: sample.id, payload: sample.payload)
    }
    let span = bytes.span
    var decoder = WireDecoder()
    var messages = 0
    var allocations: UInt64 = 0
    // The first pass allocates what the runtime creates only once: tables, and the metadata of generic types.
    for _ in 1...2 {
      messages = 0
      CAllocationCounter_start()
      var start = 0
      while start < span.count {
        let end = min(start + length, span.count)
        decoder.push(span.extracting(start..<end)) { _ in messages += 1 }
        start = end
      }
      allocations = CAllocationCounter_stop()
    }
    #expect(allocations == 0 && messages > 100)
  }

  /// The counter itself works.
  @Test func anArrayIsCounted() {
    CAllocationCounter_start()
    let array = [UInt8](repeating: 1, count: Int.random(in: 1000...1001))
    let allocations = CAllocationCounter_stop()
    #expect(allocations > 0 && array.count >= 1000)
  }
}
