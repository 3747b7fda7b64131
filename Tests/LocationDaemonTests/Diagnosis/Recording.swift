import Foundation
import Geodesy
import LocationReplay
import WireFormats

/// A recording that a test builds: what a receiver sends, and when.
struct Recording {
  static let device = "/dev/ttyACM0"
  /// A Saturday in 2026.
  static let start = GNSSTime(nanosecondsSince1970: 1_785_585_600_000_000_000)

  private(set) var records: [CaptureRecord] = [
    CaptureRecord(arrival: .zero, source: 0, event: .start(start)),
    CaptureRecord(arrival: .zero, source: 1, event: .device(CapturedDevice(path: device))),
  ]

  /// The output of a simulated receiver in its first seconds.
  init(_ configuration: SimulatedReceiver.Configuration = .init(), seconds: Int = 12) {
    var configuration = configuration
    configuration.startTime = Self.start
    var receiver = SimulatedReceiver(configuration)
    let powerOn = Instant(nanoseconds: 0)
    receive(receiver.handle(.powered, at: powerOn), .zero)
    while let deadline = receiver.nextDeadline, deadline - powerOn <= .seconds(seconds) {
      receive(receiver.handle(.wake, at: deadline), deadline - powerOn)
    }
  }

  private mutating func receive(_ actions: [SimulatedReceiver.Action], _ arrival: Duration) {
    for case .send(let bytes) in actions { append(bytes, at: arrival) }
  }

  /// The same bytes every second.
  init(everySecond bytes: [UInt8], seconds: Int = 12) {
    for second in 0..<seconds { append(bytes, at: .seconds(second)) }
  }

  /// The bytes that `body` returns for each second.
  init(seconds: Int = 12, _ body: (_ second: Int) -> [UInt8]) {
    for second in 0..<seconds { append(body(second), at: .seconds(second)) }
  }

  mutating func append(_ bytes: [UInt8], at arrival: Duration) {
    records.append(CaptureRecord(arrival: arrival, source: 1, event: .bytes(bytes)))
  }

  mutating func append(_ event: CaptureEvent, at arrival: Duration) {
    records.append(CaptureRecord(arrival: arrival, source: 1, event: event))
  }

  func write(to file: URL) throws {
    var writer = CaptureWriter()
    try Data(records.flatMap { writer.encode($0) }).write(to: file)
  }

  // MARK: - Output of receivers

  /// An epoch without a fix, with satellites of these signal strengths.
  static func searching(_ second: Int, signals: [Int]) -> [UInt8] {
    let time = String(format: "1200%02d.00", second)
    return NMEASentence.encode("GPRMC,\(time),V,,,,,,,010826,,,N")
      + NMEASentence.encode("GPGGA,\(time),,,,,0,00,99.99,,,,,,") + view(signals)
  }

  /// An epoch with a fix.
  static func located(
    _ second: Int, date: String = "010826", hdop: String = "0.90", signals: [Int] = [40, 41, 42, 38],
    latitude: String = "4717.1000"
  ) -> [UInt8] {
    let time = String(format: "1200%02d.00", second)
    let place = "\(latitude),N,00833.9000,E"
    return NMEASentence.encode("GPRMC,\(time),A,\(place),0.1,,\(date),,,A")
      + NMEASentence.encode("GPGGA,\(time),\(place),1,08,\(hdop),400.0,M,47.0,M,,")
      + NMEASentence.encode("GPGSA,A,3,01,02,03,04,,,,,,,,,1.8,\(hdop),1.5") + view(signals)
  }

  private static func view(_ signals: [Int]) -> [UInt8] {
    let satellites = signals.enumerated().map { String(format: ",%02d,45,%03d,%02d", $0 + 1, $0 * 60, $1) }
    return NMEASentence.encode(
      "GPGSV,1,1,\(String(format: "%02d", signals.count))" + satellites.prefix(4).joined())
  }

  static func text(_ text: String) -> [UInt8] { NMEASentence.encode("GPTXT,01,01,02,\(text)") }
}
