import Diagnosis
import Geodesy
import TestSupport
import Testing
import WireFormats

@Suite struct ExaminationTests {
  /// For any bytes, in any pieces, at any baud rate, there is a finding, and its texts are bounded.
  @Test(arguments: 0..<40) func anyBytesGiveAnAnswer(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let beginnings: [[UInt8]] = [
      [0xA0, 0xA2, 0], [0xA0, 0xA1, 0], [0x04, 0x24], [0x10], [0x10, 0x03], [0x24, 0x40], [0xAA, 0x44, 0x12, 28],
      [0xB5, 0x62, 0x0A, 0x38], [0xD3, 0], NMEASentence.encode("GPGSV,1,1,01,01,45,045,99"),
      NMEASentence.encode("GPTXT,01,01,02,ANTSTATUS=" + String(repeating: "X", count: 60)), [0, 0, 0], [0x0A],
      NMEASentence.encode("GPRMC,120000,A,4717.1,N,00833.9,E,0.1,,310299,,,A"),
    ]
    var examination = ReceiverExamination(
      device: "/dev/ttyUSB0", dateFloor: CalendarDate(year: 2026, month: 1, day: 1), at: Instant(nanoseconds: 0))
    var now = Instant(nanoseconds: 0)
    for _ in 0..<300 {
      now = now + .milliseconds(Int.random(in: 0...200, using: &random))
      switch Int.random(in: 0..<20, using: &random) {
      case 0: examination.speedSet(Int.random(in: 1...1_000_000, using: &random), at: now)
      case 1: examination.opened(speed: nil, at: now)
      case 2: examination.vanished()
      case 3...11:
        let bytes = beginnings.randomElement(using: &random) ?? []
        examination.receive(bytes.span, at: now)
      default:
        let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        examination.receive(bytes.span, at: now)
      }
    }
    let findings = Diagnosis(
      subject: .automatic, machine: MachineFacts(), receivers: [examination.facts(at: now)], failure: nil
    ).findings
    #expect(!findings.isEmpty)
    #expect(findings.allSatisfy { $0.sentence.utf8.count < 600 && $0.command.utf8.count < 600 })
  }

  /// A busy machine receives the bytes of six seconds at once: the rate is that of the receiver's own times.
  @Test(arguments: [1, 50, 4096]) func theRateIsThatOfTheReceiver(piece: Int) {
    let now = Instant(nanoseconds: 0)
    var examination = ReceiverExamination(device: "/dev/ttyUSB0", dateFloor: nil, at: now)
    examination.opened(speed: 9600, at: now)
    var bytes: [UInt8] = []
    var ofFirst = 0
    for second in 0..<6 {
      // Over midnight.
      let clock = second < 3 ? "23595\(7 + second)" : "00000\(second - 3)"
      bytes += NMEASentence.encode("GPGGA,\(clock),4717.1000,N,00833.9000,E,1,08,0.9,400.0,M,47.0,M,,")
      bytes += NMEASentence.encode("GPRMC,\(clock),A,4717.1,N,00833.9,E,0.1,,310299,,,A")
      if second == 0 { ofFirst = bytes.count }
    }
    for start in stride(from: 0, to: bytes.count, by: piece) {
      let part = Array(bytes[start..<min(start + piece, bytes.count)])
      examination.receive(part.span, at: now + .microseconds(start))
    }
    let facts = examination.facts(at: now + .seconds(6))
    #expect(facts.bytesPerReceiverSecond == Double(ofFirst))
    var machine = MachineFacts()
    machine.ports = []
    let findings = Diagnosis(subject: .automatic, machine: machine, receivers: [facts], failure: nil).findings
    #expect(!findings.contains { $0.code == .lineTooSlow })
  }

  /// The service opens a silent port again and probes its baud rate again: the examination does not forget what it understood
  /// before.
  @Test func aSilentReceiverThatIsLookedForAgainStaysUnderstood() {
    var now = Instant(nanoseconds: 0)
    var examination = ReceiverExamination(device: "/dev/ttyUSB0", dateFloor: nil, at: now)
    examination.opened(speed: 9600, at: now)
    let words = NMEASentence.encode("GPGGA,120000,4717.1000,N,00833.9000,E,1,08,0.9,400.0,M,47.0,M,,")
    examination.receive(words.span, at: now)
    now = now + .seconds(11)
    examination.opened(speed: 9600, at: now)
    for speed in [38_400, 115_200] { examination.speedSet(speed, at: now + .seconds(1)) }
    let facts = examination.facts(at: now + .seconds(2))
    #expect(facts.validFrames == 1)
    #expect(facts.speeds == [9600])
    let findings = Diagnosis(
      subject: .automatic, machine: MachineFacts(), receivers: [facts], failure: nil
    ).findings
    #expect(findings.map(\.code) == [.fellSilent])
    // Bytes at another baud rate are judged separately.
    examination.receive([1, 2, 3, 200].span, at: now + .seconds(3))
    #expect(examination.facts(at: now + .seconds(3)).validFrames == 0)
  }

  /// gpsd supports protocols that this package does not, and reports their content.
  @Test func whatGPSDUnderstandsIsNoOtherProtocol() {
    let now = Instant(nanoseconds: 0)
    var examination = ReceiverExamination(device: "/dev/ttyUSB0", dateFloor: nil, at: now)
    let frame: [UInt8] = [0x10, 0x8F, 0x20, 1, 2, 3, 0x10, 0x03]
    examination.receive((frame + frame).span, at: now)
    func codes() -> [FindingCode] {
      Diagnosis(
        subject: .automatic, machine: MachineFacts(), receivers: [examination.facts(at: now)], failure: nil
      ).findings.map(\.code)
    }
    #expect(codes() == [.otherProtocol])
    examination.add(
      PositionFix(
        time: GNSSTime(nanosecondsSince1970: 0), timeValidity: .dateUnconfirmed, receivedAt: now,
        coordinate: Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8)),
        horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: .gnss), clock: nil)
    #expect(codes() == [])
  }

  /// CASIC frames (NAV-PV of an ATGM336H), whose checksum is the sum of the header and the payload's words.
  @Test func casicIsRecognized() {
    func frame(_ payload: [UInt8]) -> [UInt8] {
      var words = payload.count | 0x01 << 16 | 0x03 << 24
      for start in stride(from: 0, to: payload.count, by: 4) {
        for index in 0..<4 { words += Int(payload[start + index]) << (8 * index) }
      }
      let sum = (0..<4).map { UInt8(truncatingIfNeeded: words >> (8 * $0)) }
      return [0xBA, 0xCE, UInt8(payload.count), 0, 0x01, 0x03] + payload + sum
    }
    let good = frame((0..<80).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    func look(_ bytes: [UInt8]) -> ByteClassification {
      var examination = ReceiverExamination(device: "/dev/ttyS0", dateFloor: nil, at: Instant(nanoseconds: 0))
      examination.receive(bytes.span, at: Instant(nanoseconds: 1))
      return examination.facts(at: Instant(nanoseconds: 2)).byteClassification
    }
    #expect(look(good + good) == .other(.casic))
    #expect(look(good + [0, 7, 0xBA] + frame([]) + good) == .other(.casic))
    // Cut off, damaged, or a single frame, which may occur by chance.
    #expect(look(good + good.dropLast()) != .other(.casic))
    for index in good.indices {
      var bad = good
      bad[index] ^= 0x10
      #expect(look(good + bad) != .other(.casic), "byte \(index)")
    }
    #expect(UnsupportedProtocol.alone(in: (good + good).span) == .casic)
    let greeting = NMEASentence.encode("GPTXT,01,01,02,IC=AT6558")
    #expect(UnsupportedProtocol.alone(in: (greeting + good + good).span) == .casic)
    // If there are also sentences with a position, CASIC frames are no reason to refuse anything.
    let place = NMEASentence.encode("GPGGA,120000,4717.1000,N,00833.9000,E,1,08,0.9,400.0,M,47.0,M,,")
    #expect(UnsupportedProtocol.alone(in: (good + place + good).span) == nil)
    #expect(UnsupportedProtocol.alone(in: place.span) == nil)
  }

  /// Noise is not evidence of a protocol.
  @Test(arguments: 0..<40) func noiseIsNoProtocol(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var examination = ReceiverExamination(device: "/dev/ttyUSB0", dateFloor: nil, at: Instant(nanoseconds: 0))
    let bytes = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &random) }
    examination.receive(bytes.span, at: Instant(nanoseconds: 1))
    #expect(examination.facts(at: Instant(nanoseconds: 2)).byteClassification == .noise)
  }
}
