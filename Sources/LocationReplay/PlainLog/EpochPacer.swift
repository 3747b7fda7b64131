import Geodesy
import WireFormats

/// Converts the times in a log's messages to the time since its first epoch, which never goes backwards.
///
/// A log may have two clocks, UTC time of day (NMEA) and GPS time of week (UBX), which differ by the leap seconds. The steps of
/// each clock are tracked separately, so that the log goes on if one of them ends.
struct EpochPacer: Sendable {
  /// The state of one clock.
  private struct Clock {
    /// Its latest time, milliseconds.
    var latest: Int64
    /// The log time of `latest`, milliseconds since the first epoch.
    var elapsed: Int64
    /// The epoch, counted from the first, in which the clock was last read.
    var epoch: Int
    /// A time before `latest` that another talker has repeated since then.
    var stale: Int64?

    /// Milliseconds from `latest` to another time of a clock that restarts after `period`. Over midnight, or the week's end, the
    /// difference is negative by nearly that period.
    func step(to time: Int64, period: Int64) -> Int64 {
      let difference = time - latest
      return difference < -period / 2 ? difference + period : difference
    }
  }

  /// Milliseconds since the first epoch.
  private var elapsedMilliseconds: Int64 = 0
  /// The clocks read so far: time of day, time of week.
  private var clocks: [Clock?] = [nil, nil]
  /// The number of epochs since the start, or since the times started again.
  private var epoch = 0
  /// The number of times that were read in this epoch.
  private var timesInEpoch = 0

  /// The period of each clock, milliseconds.
  private static let periods: [Int64] = [86_400_000, 604_800_000]
  /// Two times that differ by less than this belong to one epoch: half of the interval at 25 Hz. Messages of one epoch may differ
  /// by milliseconds.
  private static let shortestStep: Int64 = 20
  /// A larger step is rejected: the log was concatenated, or the receiver has just acquired the time.
  private static let longestStep: Int64 = 3_600_000
  /// The step used in place of a rejected one.
  private static let standIn: Int64 = 1000
  /// A time that is older than the latest by at most this much is a repetition by another talker (an instrument that
  /// forwards a fix).
  private static let longestRepetition: Int64 = 3000
  /// A clock that is first read after this many epochs of the other one has just been switched on.
  private static let epochsAlone = 2

  /// Time since the first epoch.
  var elapsed: Duration { .milliseconds(elapsedMilliseconds) }

  /// Handles the time of a frame; returns whether it begins another epoch.
  mutating func receive(_ time: FrameTime) -> Bool {
    let begins =
      switch time {
      case .timeOfDay(let time): read(time.nanosecondsSinceMidnight / 1_000_000, on: 0)
      case .timeOfWeek(let milliseconds): read(Int64(milliseconds), on: 1)
      }
    timesInEpoch = begins ? 1 : timesInEpoch + 1
    return begins
  }

  private mutating func read(_ time: Int64, on index: Int) -> Bool {
    guard var clock = clocks[index] else {
      clocks[index] = Clock(latest: time, elapsed: elapsedMilliseconds, epoch: epoch)
      // Whether this time belongs to the current epoch or the next one is unknown, so give it an epoch of its own,
      // which fits both. A single sentence before the first UBX message is the end of an epoch of which the log
      // contains nothing else.
      let isSecondAlone = index == 1 && epoch == 0 && timesInEpoch == 1
      guard clocks[1 - index] != nil, epoch >= Self.epochsAlone || isSecondAlone else { return false }
      begin(at: elapsedMilliseconds + Self.shortestStep)
      return true
    }
    let step = clock.step(to: time, period: Self.periods[index])
    guard step.magnitude >= Self.shortestStep else { return false }
    if step < 0, -step <= Self.longestRepetition {
      guard let stale = clock.stale, time - stale >= Self.shortestStep else {
        clocks[index]?.stale = time
        return false
      }
      // The older time advances alone: the receiver has set its clock back.
      restart(at: time, after: time - stale, on: index)
      return true
    }
    guard (1...Self.longestStep).contains(step) else {
      restart(at: time, after: Self.standIn, on: index)
      return true
    }
    // If only one clock continues, it advances from the log's time, even if the other clock was ahead of it long ago.
    let predicted = clock.elapsed + step
    let leads = clock.epoch == epoch && predicted < elapsedMilliseconds + Self.shortestStep
    clock.latest = time
    clock.elapsed = leads ? elapsedMilliseconds + step : predicted
    clock.stale = nil
    let begins = clock.elapsed >= elapsedMilliseconds + Self.shortestStep
    if begins { begin(at: clock.elapsed) }
    clock.epoch = epoch
    clocks[index] = clock
    return begins
  }

  /// Begins an epoch with a time that does not follow from the ones before it.
  private mutating func restart(at time: Int64, after step: Int64, on index: Int) {
    epoch = 0
    begin(at: elapsedMilliseconds + step)
    clocks = [nil, nil]
    clocks[index] = Clock(latest: time, elapsed: elapsedMilliseconds, epoch: epoch)
  }

  private mutating func begin(at elapsed: Int64) {
    elapsedMilliseconds = elapsed
    epoch += 1
  }
}
