import Geodesy

/// The offset of the system's clock, from many bursts.
package struct FilteredOffset: Hashable, Sendable {
  /// The clocks to which the offset applies.
  package var reading: ClockReading
  /// The receiver's time minus the system's clock, seconds. It still contains the receiver's delay.
  package var offsetSeconds: Double
  /// Its standard deviation as the filter estimates it, seconds.
  package var deviationSeconds: Double
  /// How far apart the bursts of the window lie, seconds.
  package var spreadSeconds: Double
}

/// Makes one offset per second from the raw samples of a receiver.
///
/// In each second it takes the fastest quarter of a window of 16 s, and corrects a line with it. There is no offset while the bursts
/// scatter by more than 50 ms: such a receiver sends its time whenever its processor is free.
package struct OffsetFilter: Sendable {
  /// What became of a raw sample.
  package enum Outcome: Hashable, Sendable {
    case offset(FilteredOffset)
    /// This sample's second already has an offset, or the window has too few samples.
    case waiting
    /// The bursts scatter too much.
    case tooWide(spreadSeconds: Double)
    /// The sample is half a second or more off the newest sample, continued with the slope of the line: a leap second, or a
    /// receiver that is wrong by a second.
    case offLine
  }

  /// The number of samples before the first offset.
  package static let samplesToBegin = 3
  /// The largest scatter of a window.
  package static let largestSpreadSeconds = 0.050
  /// A sample this far from the line belongs to another second.
  static let offLineSeconds = 0.5
  /// After this many of them in a row, the line begins again.
  static let mostOffLine = 16
  /// If the fastest quarter deviates from the line by more standard deviations than this, and continues to, the
  /// receiver's delay has changed.
  static let largestSurprise = 5.0
  /// The smallest error of a burst: the wake-up of a thread.
  private static let smallestVariance = 9e-10
  /// With fewer samples, their scatter is not reliable, and 2 ms are assumed.
  private static let samplesForScatter = 6
  private static let assumedVariance = 4e-6

  private var window = OffsetWindow()
  private var line: OffsetLine?
  /// The difference from which the line's level is counted, nanoseconds.
  private var lineBase: Int64 = 0
  private var lineRaw: Int64 = 0
  private var lastReading: ClockReading?
  private var lastSecond: Int64?
  private var offLineInARow = 0
  private var surprisesInARow = 0

  package init() {}

  /// Forgets all samples: the receiver, its rate or its first message has changed.
  package mutating func reset() {
    window.removeAll()
    line = nil
    lastReading = nil
    lastSecond = nil
    offLineInARow = 0
    surprisesInARow = 0
  }

  /// Handles the next sample.
  package mutating func handle(_ sample: RawSample) -> Outcome {
    let raw = sample.arrival.rawNanoseconds
    if let lastReading,
      raw <= lastReading.rawNanoseconds || raw - lastReading.rawNanoseconds > OffsetWindow.nanoseconds
        || sample.arrival.wasSuspended(since: lastReading)
    {
      reset()
    }
    lastReading = sample.arrival
    if isOffLine(sample) {
      offLineInARow += 1
      guard offLineInARow >= Self.mostOffLine else { return .offLine }
      reset()
      lastReading = sample.arrival
    }
    offLineInARow = 0
    window.add(raw: raw, difference: sample.differenceNanoseconds)
    let second = sample.time.nanosecondsSince1970 / 1_000_000_000
    guard second != lastSecond, window.count >= Self.samplesToBegin,
      let quarter = window.fastestQuarter(slope: line?.slope ?? 0)
    else { return .waiting }
    lastSecond = second
    guard quarter.spreadSeconds <= Self.largestSpreadSeconds else {
      line = nil
      return .tooWide(spreadSeconds: quarter.spreadSeconds)
    }
    return .offset(offset(at: sample.arrival, quarter))
  }

  private func isOffLine(_ sample: RawSample) -> Bool {
    guard let newest = window.newestRaw else { return false }
    let change = Double(sample.differenceNanoseconds &- window.newestDifference) * 1e-9
    let drift = (line?.slope ?? 0) * Double(sample.arrival.rawNanoseconds &- newest) * 1e-9
    return abs(change - drift) >= Self.offLineSeconds
  }

  private mutating func offset(at reading: ClockReading, _ quarter: OffsetWindow.Quarter) -> FilteredOffset {
    var line = advancedLine(to: reading.rawNanoseconds, quarter)
    let scatter =
      window.count >= Self.samplesForScatter
      ? quarter.varianceSecondsSquared : max(quarter.varianceSecondsSquared, Self.assumedVariance)
    // The windows overlap: each sample is used once for every second of a window.
    let variance = (scatter + Self.smallestVariance) * max(1, quarter.lengthSeconds)
    let surprise = line.measure(quarter.meanDifferenceSeconds, at: quarter.meanSeconds, variance: variance)
    surprisesInARow = abs(surprise) > Self.largestSurprise ? surprisesInARow + 1 : 0
    if surprisesInARow >= Self.mostOffLine {
      surprisesInARow = 0
      line = OffsetLine(level: quarter.meanDifferenceSeconds, variance: variance)
      line.advance(by: -quarter.meanSeconds)
    }
    self.line = line
    lineBase = window.newestDifference
    lineRaw = reading.rawNanoseconds
    let whole = lineBase &+ reading.rawNanoseconds &- reading.system.nanosecondsSince1970
    return FilteredOffset(
      reading: reading, offsetSeconds: Double(whole) * 1e-9 + line.level, deviationSeconds: line.levelDeviation,
      spreadSeconds: quarter.spreadSeconds)
  }

  /// The line at `raw`, with its level relative to the newest sample's difference; a new one through the quarter if there is none.
  private func advancedLine(to raw: Int64, _ quarter: OffsetWindow.Quarter) -> OffsetLine {
    guard var line = self.line else {
      var first = OffsetLine(
        level: quarter.meanDifferenceSeconds,
        variance: max(quarter.varianceSecondsSquared, Self.assumedVariance) * max(1, quarter.lengthSeconds))
      first.advance(by: -quarter.meanSeconds)
      return first
    }
    line.shiftLevel(by: Double(lineBase &- window.newestDifference) * 1e-9)
    line.advance(by: Double(raw &- lineRaw) * 1e-9)
    return line
  }
}
