package import Geodesy

/// Whether and when the system's clock is set from a receiver, for machines without a clock of their own.
///
/// The clock is set once after each boot, and only if no other program keeps it. Disciplining is the work of chrony; this
/// type only makes the date right.
package struct ClockSetter: Sendable {
  /// What can happen.
  package enum Input: Hashable, Sendable {
    /// What is known of the machine; sent at the beginning, and whenever it changes.
    case circumstances(ClockCircumstances)
    /// An epoch whose time may be sent (`TimeEligibility`): its time with the receiver's delay added, and the clocks at its first
    /// byte.
    case confirmed(time: GNSSTime, reading: ClockReading)
    /// An epoch whose time may not be sent.
    case unconfirmed
    /// Jamming, spoofing or a jump of the position is suspected, or no longer.
    case interference(Bool)
    /// The clock was set, or could not be set.
    case finished(isSet: Bool)
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    /// Add this duration to the system's clock, and record both times.
    case set(ClockChange)
    /// The reason why the clock is not set has changed, for the status.
    case refused(ClockRefusal)
  }

  /// Consecutive confirmed seconds before the clock is set.
  package static let secondsToAgree = 10
  /// The largest difference between their offsets.
  package static let largestDisagreement: Duration = .milliseconds(200)
  /// A smaller error is not worth a step.
  package static let smallestError: Duration = .seconds(2)
  /// A clock that is ahead by more is not set back: then the receiver is more likely to be wrong.
  package static let farthestBack: Duration = .seconds(86_400)
  /// A time more than this many years after the build is implausible.
  package static let yearsAfterBuild = 20

  private var circumstances: ClockCircumstances?
  private var isInterfered = false
  private var isPending = false
  private var run: Run?
  private var reported: ClockRefusal?
  private var isDone = false

  /// Confirmed seconds in a row.
  private struct Run {
    var count = 1
    var lastSecond: Int64
    var first: ClockReading
    /// The offsets of the run: receiver minus system.
    var smallest: Duration
    var largest: Duration
  }

  package init() {}

  /// Handles an input and returns what to do.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch input {
    case .circumstances(let circumstances):
      self.circumstances = circumstances
      return report(refusal)
    case .interference(let isSuspected):
      isInterfered = isSuspected
      if isSuspected { run = nil }
      return report(refusal)
    case .unconfirmed:
      run = nil
      return []
    case .finished(let isSet):
      isPending = false
      isDone = isDone || isSet
      return report(refusal)
    case .confirmed(let time, let reading): return confirmed(time, reading)
    }
  }

  /// Why the clock is not set, whatever the receiver reports; `nil`: it may be.
  private var refusal: ClockRefusal? {
    guard let circumstances else { return .disabled }
    if isDone { return .alreadySet }
    return circumstances.refusal ?? (isInterfered ? .interference : nil)
  }

  private mutating func report(_ refusal: ClockRefusal?) -> [Action] {
    guard refusal != reported else { return [] }
    reported = refusal
    return refusal.map { [.refused($0)] } ?? []
  }

  private mutating func confirmed(_ time: GNSSTime, _ reading: ClockReading) -> [Action] {
    if let refusal {
      run = nil
      return report(refusal)
    }
    guard !isPending, let circumstances, extend(time, reading), let run, run.count >= Self.secondsToAgree else {
      return []
    }
    let offset = run.smallest + (run.largest - run.smallest) / 2
    if let refusal = Self.refusal(of: offset, to: time, circumstances) {
      self.run = nil
      return report(refusal)
    }
    self.run = nil
    isPending = true
    reported = nil
    return [.set(ClockChange(offset: offset, from: reading.system, to: reading.system + offset))]
  }

  /// Adds a second to the run; `false` if that second is already in it. A second other than the next one, a step of the
  /// clock, or an offset that disagrees begins a new run.
  private mutating func extend(_ time: GNSSTime, _ reading: ClockReading) -> Bool {
    let second = time.nanosecondsSince1970 / 1_000_000_000
    let offset = time - reading.system
    guard var run, !reading.hasStepped(since: run.first) else {
      self.run = Run(lastSecond: second, first: reading, smallest: offset, largest: offset)
      return true
    }
    guard second != run.lastSecond else { return false }
    let (smallest, largest) = (min(run.smallest, offset), max(run.largest, offset))
    if second == run.lastSecond + 1, largest - smallest <= Self.largestDisagreement {
      run.count = min(run.count + 1, Self.secondsToAgree)
      (run.lastSecond, run.smallest, run.largest) = (second, smallest, largest)
    } else {
      run = Run(lastSecond: second, first: reading, smallest: offset, largest: offset)
    }
    self.run = run
    return true
  }

  /// Why the clock may not be set by this offset to this time; `nil`: it may. The process that sets it checks the same again.
  package static func refusal(
    of offset: Duration, to time: GNSSTime, _ circumstances: ClockCircumstances
  ) -> ClockRefusal? {
    if offset <= smallestError, offset >= .zero - smallestError { return .smallError }
    if offset < .zero - farthestBack { return .tooFarBack }
    guard let built = circumstances.buildDate, let earliest = midnight(built) else { return .implausible }
    let bounds = [earliest, circumstances.lastGoodTime, circumstances.newestFileTime].compactMap { $0 }
    guard let floor = bounds.max(), time >= floor else { return .implausible }
    return time < earliest + .seconds(Int64(yearsAfterBuild) * 31_557_600) ? nil : .implausible
  }

  private static func midnight(_ date: CalendarDate) -> GNSSTime? {
    TimeOfDay(hour: 0, minute: 0, second: 0).flatMap { GNSSTime(date: date, timeOfDay: $0) }
  }
}
