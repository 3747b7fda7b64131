import Testing
import WireFormats

/// Frames with a correct checksum whose content is invalid for their type, and damaged ones: they have no effect except on a
/// counter.
@Suite struct RejectedUBXTests {
  struct Sample: CustomTestStringConvertible, Sendable {
    let name: String
    let messageClass: UInt8
    let id: UInt8
    let payload: [UInt8]
    var testDescription: String { name }
  }

  static let samples: [Sample] = [
    Sample(name: "NAV-PVT", messageClass: 0x01, id: 0x07, payload: UBXSample.navPVT),
    Sample(name: "NAV-SOL", messageClass: 0x01, id: 0x06, payload: UBXSample.navSOL),
    Sample(name: "NAV-POSECEF", messageClass: 0x01, id: 0x01, payload: UBXSample.navPOSECEF),
    Sample(name: "NAV-POSLLH", messageClass: 0x01, id: 0x02, payload: UBXSample.navPOSLLH),
    Sample(name: "NAV-HPPOSLLH", messageClass: 0x01, id: 0x14, payload: UBXSample.navHPPOSLLH),
    Sample(name: "HNR-PVT", messageClass: 0x28, id: 0x00, payload: UBXSample.hnrPVT),
    Sample(name: "NAV-VELNED", messageClass: 0x01, id: 0x12, payload: UBXSample.navVELNED),
    Sample(name: "NAV-TIMEUTC", messageClass: 0x01, id: 0x21, payload: UBXSample.navTIMEUTC),
    Sample(name: "NAV-SVINFO", messageClass: 0x01, id: 0x30, payload: UBXSample.navSVINFO),
    Sample(name: "NAV-SAT", messageClass: 0x01, id: 0x35, payload: UBXSample.navSAT),
    Sample(name: "NAV-DOP", messageClass: 0x01, id: 0x04, payload: UBXSample.navDOP),
    Sample(name: "NAV-STATUS", messageClass: 0x01, id: 0x03, payload: UBXSample.navSTATUS),
    Sample(name: "NAV-COV", messageClass: 0x01, id: 0x36, payload: UBXSample.navCOV),
    Sample(name: "NAV-EOE", messageClass: 0x01, id: 0x61, payload: UBXSample.navEOE),
    Sample(name: "NAV-TIMELS", messageClass: 0x01, id: 0x26, payload: UBXSample.navTIMELS),
    Sample(name: "TIM-TP", messageClass: 0x0D, id: 0x01, payload: UBXSample.timTP),
    Sample(name: "MON-VER", messageClass: 0x0A, id: 0x04, payload: UBXSample.monVER),
    Sample(name: "SEC-UNIQID", messageClass: 0x27, id: 0x03, payload: [1, 0, 0, 0, 1, 2, 3, 4, 5]),
    Sample(name: "ACK-ACK", messageClass: 0x05, id: 0x01, payload: [6, 1]),
  ]

  /// Other lengths than that of the sample that are also valid for its type.
  static func isAlsoRight(_ sample: Sample, length: Int) -> Bool {
    (sample.name == "NAV-PVT" && length == 84) || (sample.name == "MON-VER" && (length == 40 || length == 70))
  }

  @Test(arguments: samples) func wrongLengths(sample: Sample) {
    let longest = sample.payload.count + 13
    for length in 0...longest where length != sample.payload.count && !Self.isAlsoRight(sample, length: length) {
      let padded = sample.payload + [UInt8](repeating: 0, count: 13)
      let decoding = Decoding(
        UBXFrame.encode(class: sample.messageClass, id: sample.id, payload: Array(padded.prefix(length))))
      #expect(decoding.messages.isEmpty, "\(length) bytes")
      #expect(decoding.counters.validUBX == 1 && decoding.counters.malformed == 1, "\(length) bytes")
    }
  }

  /// The end of the stream inside a frame: the bytes wait, and there is no message.
  @Test(arguments: samples) func truncated(sample: Sample) {
    let frame = UBXFrame.encode(class: sample.messageClass, id: sample.id, payload: sample.payload)
    for end in 1..<frame.count {
      let decoding = Decoding(Array(frame[..<end]))
      #expect(decoding.messages.isEmpty && decoding.counters == DecodeCounters() && decoding.hasPendingBytes)
    }
  }

  /// With any flipped bit, a frame is invalid; and the next frame is decoded when enough of it is there.
  @Test(arguments: samples) func corrupt(sample: Sample) {
    let frame = UBXFrame.encode(class: sample.messageClass, id: sample.id, payload: sample.payload)
    let good = UBXFrame.encode(class: 0x05, id: 0x01, payload: [6, 0x8A])
    let filling = [UInt8](repeating: 0, count: WireDecoder.maximumFrame)
    for index in 0..<frame.count {
      var bytes = frame
      bytes[index] ^= 1 << (index % 8)
      let decoding = Decoding(bytes + good + filling)
      #expect(decoding.messages.count == 1 && decoding.counters.validUBX == 1, "byte \(index)")
    }
  }

  @Test(
    arguments: [
      // Time of week, fix type, latitude, longitude, nanoseconds.
      ("NAV-PVT", 0, [0x00, 0x84, 0x0C, 0x24]), ("NAV-PVT", 20, [6]), ("NAV-PVT", 24, [0x01, 0xD2, 0x49, 0x6B]),
      ("NAV-PVT", 24, [0, 0, 0, 0x80]), ("NAV-PVT", 28, [0x01, 0xE9, 0xA4, 0x35]), ("NAV-PVT", 28, [0, 0, 0, 0x80]),
      ("NAV-PVT", 16, [0x01, 0xCA, 0x9A, 0x3B]), ("NAV-PVT", 16, [0, 0, 0, 0x80]),
      ("NAV-SOL", 0, [0xFF, 0xFF, 0xFF, 0xFF]), ("NAV-SOL", 10, [0xFF]),
      ("NAV-POSECEF", 0, [0xFF, 0xFF, 0xFF, 0xFF]), ("NAV-POSLLH", 0, [0xFF, 0xFF, 0xFF, 0xFF]),
      ("NAV-POSLLH", 4, [0, 0, 0, 0x80]),
      ("NAV-POSLLH", 8, [0, 0, 0, 0x80]),
      ("NAV-VELNED", 0, [0xFF, 0xFF, 0xFF, 0xFF]), ("NAV-TIMEUTC", 0, [0xFF, 0xFF, 0xFF, 0xFF]),
      ("NAV-TIMEUTC", 8, [0, 0, 0, 0x80]), ("NAV-SVINFO", 0, [0xFF, 0xFF, 0xFF, 0xFF]), ("NAV-SVINFO", 4, [3]),
      ("NAV-SVINFO", 4, [1]),
      ("NAV-SAT", 0, [0xFF, 0xFF, 0xFF, 0xFF]), ("NAV-SAT", 5, [255]), ("NAV-SAT", 5, [0]),
      ("NAV-DOP", 0, [0xFF, 0xFF, 0xFF, 0xFF]),
      ("NAV-STATUS", 0, [0xFF, 0xFF, 0xFF, 0xFF]), ("NAV-STATUS", 4, [6]), ("NAV-COV", 0, [0xFF, 0xFF, 0xFF, 0xFF]),
      // NaN, infinity, and a negative variance.
      ("NAV-COV", 16, [0, 0, 0xC0, 0x7F]), ("NAV-COV", 28, [0, 0, 0x80, 0x7F]), ("NAV-COV", 36, [0, 0, 0x80, 0xBF]),
      ("NAV-EOE", 0, [0xFF, 0xFF, 0xFF, 0xFF]), ("NAV-TIMELS", 0, [0xFF, 0xFF, 0xFF, 0xFF]), ("SEC-UNIQID", 0, [2]),
      ("SEC-UNIQID", 0, [0]),
    ] as [(String, Int, [UInt8])])
  func badRanges(name: String, offset: Int, bytes: [UInt8]) throws {
    guard let sample = Self.samples.first(where: { $0.name == name }) else { throw Missing.message }
    var payload = sample.payload
    payload.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    let decoding = Decoding(UBXFrame.encode(class: sample.messageClass, id: sample.id, payload: payload))
    #expect(decoding.messages.isEmpty && decoding.counters.validUBX == 1 && decoding.counters.malformed == 1)
  }
}
