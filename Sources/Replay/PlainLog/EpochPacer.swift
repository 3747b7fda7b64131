import Geodesy
import WireFormats

/// Turns the times that a log's messages give into time since its first epoch, which never goes backwards.
///
/// A log may have two clocks, UTC time of day (NMEA) and GPS time of week (UBX), which differ by the leap seconds. Each is
/// followed by its own steps, so that the log goes on if one of them ends.
struct EpochPacer: Sendable {
  /// What is known of one clock.
  private struct Clock {
    /// Its latest time, milliseconds.
    var latest: Int64
    /// When that was, milliseconds since the first epoch.
    var elapsed: Int64
    /// The epoch, counted from the first, in which it was read last.
    var epoch: Int
    /// A time before `latest` that another talker repeated since then.
    var stale: Int64?

    /// Milliseconds from `latest` to another time of a clock that begins again after `period`. Over midnight, or the week's
    /// end, the difference is negative by nearly that.
    func step(to time: Int64, period: Int64) -> Int64 {
      let difference = time - latest
      return difference < -period / 2 ? difference + period : difference
    }
  }

  /// Milliseconds since the first epoch.
  private var elapsedMilliseconds: Int64 = 0
  /// The clocks that were read: of the time of day, of the time of week.
  private var clocks: [Clock?] = [nil, nil]
  /// Epochs begun since the start, or since the times began again.
  private var epoch = 0
  /// Times read in this epoch.
  private var timesInEpoch = 0

  /// When each clock begins again, milliseconds.
  private static let periods: [Int64] = [86_400_000, 604_800_000]
  /// Below this two times belong to one epoch: half of what lies between two at 25 Hz. Messages of one epoch may differ by
  /// milliseconds.
  private static let shortestStep: Int64 = 20
  /// A step beyond this is not believed: the log was pasted together, or the receiver has just learned the time.
  private static let longestStep: Int64 = 3_600_000
  /// What stands in for a step that is not believed.
  private static let standIn: Int64 = 1000
  /// A time that is at most this much too old is another talker's, which repeats it (instruments that pass a fix on).
  private static let longestRepetition: Int64 = 3000
  /// A clock that is read first after so many epochs of the other one has just been switched on.
  private static let epochsAlone = 2

  /// Time since the first epoch.
  var elapsed: Duration { .milliseconds(elapsedMilliseconds) }

  /// Takes the time of a frame; returns whether it begins another epoch.
  mutating func take(_ time: FrameTime) -> Bool {
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
      // Whether it is of the epoch in hand or of the next one nobody can tell: a moment of its own suits both. A single
      // sentence before the first UBX message is the end of an epoch that the log has no more of.
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
      // The time that was behind advances alone: the receiver has set its clock back.
      restart(at: time, after: time - stale, on: index)
      return true
    }
    guard (1...Self.longestStep).contains(step) else {
      restart(at: time, after: Self.standIn, on: index)
      return true
    }
    // A clock that leads alone steps, whatever the other one said long ago.
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
