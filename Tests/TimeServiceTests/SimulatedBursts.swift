import Geodesy
import TestSupport
import TimeService

/// A receiver on a line, in virtual time: epochs, the reads of its port, and a system clock that is wrong by a known offset.
///
/// The noise model: the receiver begins a burst `delay` after the second, plus its jitter. The line transfers ten bits per byte, a UART
/// reports several bytes at once, and the thread wakes up an exponentially distributed time of 0.1 ms later. A USB receiver is read in
/// frames of 1 ms, so that up to 1 ms is added, equally distributed.
struct SimulatedBursts {
  enum Jitter {
    case none
    /// Normally distributed with this standard deviation, both ways.
    case normal(Double)
    /// Exponentially distributed with this mean: a busy processor only ever delays.
    case exponential(Double)
  }

  var delaySeconds = 0.1
  var jitter = Jitter.none
  /// Epochs per second.
  var rate = 1
  /// `nil`: USB without a line.
  var baud: Int?
  /// Bytes of a burst.
  var bytes = 400
  /// Bytes that a UART reports at once.
  var chunk = 8
  /// The raw clock's error of rate.
  var rawError = 23e-6
  /// The system's clock at the beginning, minus true time, and its error of rate.
  var systemError = -3.2
  var systemRate = 5e-6
  var random: SplitMix64

  /// The offset of one second and its error.
  struct Result {
    var second: Double
    var outcome: OffsetFilter.Outcome
    /// The filtered offset minus the true one, seconds: minus the receiver's delay, if the filter is perfect.
    var error: Double?
  }

  /// 2026-03-01.
  private static let start: Int64 = 1_772_323_200_000_000_000

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// The clocks at a true time in seconds after the start.
  func reading(at seconds: Double) -> ClockReading {
    let nanoseconds = Int64((seconds * 1e9).rounded())
    return ClockReading(
      system: GNSSTime(nanosecondsSince1970: Self.start + nanoseconds + Int64(systemError(at: seconds) * 1e9)),
      monotonic: Instant(nanoseconds: 5_000_000_000_000 + nanoseconds + Int64(systemRate * seconds * 1e9)),
      rawNanoseconds: 4_000_000_000_000 + nanoseconds + Int64(rawError * seconds * 1e9))
  }

  private func systemError(at seconds: Double) -> Double { systemError + systemRate * seconds }

  /// Runs the stamp and the filter for this many seconds.
  mutating func run(seconds: Int) -> [Result] {
    var stamp = BurstStamp(baudRate: baud)
    var filter = OffsetFilter()
    var results: [Result] = []
    for epoch in 0..<seconds * rate {
      let time = Double(epoch) / Double(rate)
      let first = deliver(time, to: &stamp)
      let utc = GNSSTime(nanosecondsSince1970: Self.start + Int64(epoch) * 1_000_000_000 / Int64(rate))
      guard case .sample(let sample) = stamp.completed(time: utc, beganAt: first) else { continue }
      let outcome = filter.handle(sample)
      var error: Double?
      if case .offset(let offset) = outcome {
        let true0 = (offset.reading.monotonic - Instant(nanoseconds: 5_000_000_000_000)).inSeconds / (1 + systemRate)
        error = offset.offsetSeconds + systemError(at: true0)
      }
      if case .waiting = outcome { continue }
      results.append(Result(second: time, outcome: outcome, error: error))
    }
    return results
  }

  /// Transfers one burst; returns when the read returned that contained its first message.
  private mutating func deliver(_ time: Double, to stamp: inout BurstStamp) -> Instant {
    let begin = time + delaySeconds + draw(jitter)
    let perByte = baud.map { 10 / Double($0) } ?? 2e-7
    var sent = 0
    var first: Instant?
    var last = 0.0
    while sent < bytes {
      let count = min(baud == nil ? 64 : chunk, bytes - sent)
      sent += count
      var read = begin + Double(sent) * perByte + draw(.exponential(1e-4))
      if baud == nil, first == nil { read += Double.random(in: 0...1e-3, using: &random) }
      read = max(read, last)
      last = read
      let reading = reading(at: read)
      stamp.received(BurstStamp.Arrival(byteCount: count, reading: reading))
      // A sentence of 72 bytes.
      if first == nil, sent >= 72 { first = reading.monotonic }
    }
    return first ?? Instant(nanoseconds: 0)
  }

  private mutating func draw(_ jitter: Jitter) -> Double {
    switch jitter {
    case .none: return 0
    case .normal(let deviation):
      // Irwin and Hall: twelve equally distributed numbers.
      return deviation * ((0..<12).reduce(0.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) } - 6)
    case .exponential(let mean):
      return -mean * Math.log(1 - Double.random(in: 0..<1, using: &random))
    }
  }
}

/// Figures of a series of numbers.
struct Statistics {
  var mean: Double
  var deviation: Double

  init(_ values: [Double]) {
    let mean = values.reduce(0, +) / Double(max(values.count, 1))
    self.mean = mean
    let sum = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    deviation = (sum / Double(max(values.count - 1, 1))).squareRoot()
  }
}
