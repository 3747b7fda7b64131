import Geodesy
import LocationReplay
import TestSupport
import WireFormats

/// Scrubs bytes for tests.
enum ScrubBench {
  static func anonymization(seed: UInt64, _ change: (inout ScrubOptions) -> Void = { _ in }) -> Anonymization {
    var options = ScrubOptions()
    change(&options)
    var generator = SplitMix64(seed: seed)
    return Anonymization(options, using: &generator)
  }

  /// `bytes`, scrubbed as a whole or cut after each of `cuts` bytes in turn.
  static func scrub(
    _ bytes: [UInt8], seed: UInt64 = 1, cuts: [Int] = [], _ change: (inout ScrubOptions) -> Void = { _ in }
  ) -> [UInt8] {
    var anonymization = anonymization(seed: seed, change)
    var stream = StreamScrubber()
    var output: [UInt8] = []
    var start = 0
    var next = 0
    while start < bytes.count {
      let length = cuts.isEmpty ? bytes.count : cuts[next % cuts.count]
      next += 1
      let end = min(bytes.count, start + length)
      output += stream.push(bytes.span.extracting(start..<end), &anonymization)
      start = end
    }
    return output + stream.finish(&anonymization)
  }

  /// The sentence of `content`, scrubbed after a fix at 47° 17.1' N, 8° 33.9' E, 400 m.
  static func sentence(_ content: String, seed: UInt64 = 1, _ change: (inout ScrubOptions) -> Void = { _ in }) -> String
  {
    let fix = nmea("GPGGA,120000.00,4717.10000,N,00833.90000,E,1,08,1.0,400.0,M,47.0,M,,")
    let output = scrub(fix + nmea(content), seed: seed, change)
    return String(decoding: output[fix.count...].dropLast(5), as: UTF8.self)
  }

  static func nmea(_ content: String) -> [UInt8] {
    let sum = content.utf8.reduce(0, ^)
    let digits = Array("0123456789ABCDEF".utf8)
    return Array("$\(content)*".utf8) + [digits[Int(sum >> 4)], digits[Int(sum & 15)], 13, 10]
  }

  static func counters(_ bytes: [UInt8]) -> DecodeCounters {
    var decoder = WireDecoder()
    decoder.push(bytes.span) { _ in }
    return decoder.counters
  }

  /// The output of a receiver of a dialect during a minute of driving, with damage and noise.
  static func recording(_ dialect: Dialect, seconds: Int = 60) -> [UInt8] {
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = dialect
    configuration.extraSentences = [.gst, .zda, .gns, .pubx00]
    configuration.trajectory = .line(
      from: SimulatedPosition(latitude: 47.285, longitude: 8.565, height: 455), course: Angle(degrees: 33),
      metersPerSecond: 12)
    configuration.faults = [.corruption(every: 5), .garbage(.seconds(10) ..< .seconds(20), bytes: 60)]
    var driver = SimulatorDriver(configuration)
    driver.run(until: .seconds(seconds))
    return driver.bytes
  }
}
