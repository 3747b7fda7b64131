import Geodesy

/// The fixes of one run of a log, received and recorded: decides what the next fix adds.
struct LogTrack {
  private let options: LogOptions
  private let gap: Duration

  /// The interruption before the next recorded fix.
  private var interruption: TrackInterruption?
  /// The fix from which the filters measure.
  private var reference: PositionFix?
  /// When the newest usable fix arrived, recorded or not.
  private var newestAt: Instant?
  private var pace: EpochInterval?
  private var epochs = EpochMemory()
  private var standstill = Standstill()
  /// The newest fix of a stay, not recorded yet.
  private var lastOfStay: PositionFix?
  /// Fixes that may be the start of a departure.
  private var departing: [PositionFix] = []

  /// Starts after an interruption.
  init(_ options: LogOptions, gap: Duration, after interruption: TrackInterruption) {
    self.options = options
    self.gap = gap
    self.interruption = interruption
  }

  /// Returns the entries that a fix adds to the track.
  mutating func add(_ fix: PositionFix) -> [TrackEntry] {
    guard newestAt.map({ fix.receivedAt > $0 }) ?? true, !epochs.contains(fix), isGoodEnough(fix) else { return [] }
    if fix.qualityFlag != nil {
      guard options.keepsSuspects else { return [] }
      epochs.note(fix)
      return begin() + [.fix(fix)]
    }
    epochs.note(fix)
    var entries = detectGap(before: fix)
    entries += options.keepsStandstill ? record(fix) : judge(fix)
    return entries
  }

  /// Interrupts the track; returns the entries to record before that.
  mutating func interrupt(_ reason: TrackInterruption) -> [TrackEntry] {
    let end = endOfStay()
    interruption = interruption ?? reason
    standstill = Standstill()
    departing = []
    newestAt = nil
    return end
  }

  private func isGoodEnough(_ fix: PositionFix) -> Bool {
    let radius = fix.horizontalRadius68
    guard radius.value > 0, radius.value.isFinite else { return false }
    return options.desiredRadius68.map { radius <= $0 } ?? true
  }

  private mutating func detectGap(before fix: PositionFix) -> [TrackEntry] {
    defer {
      newestAt = fix.receivedAt
      if pace == nil { pace = EpochInterval(first: fix.time) } else { pace?.add(fix.time) }
    }
    guard let newestAt, let pace, fix.receivedAt - newestAt > max(gap, pace.longestSilence) else { return [] }
    return interrupt(.gap)
  }

  private mutating func judge(_ fix: PositionFix) -> [TrackEntry] {
    switch standstill.add(fix) {
    case .moving:
      return record(fix)
    case .arrived:
      let entries = endOfStay() + record(fix)
      departing = []
      return entries
    case .staying:
      departing = []
      lastOfStay = fix
      return []
    case .wavering:
      departing.append(fix)
      return []
    case .departed:
      let start = departing
      departing = []
      return endOfStay() + start.flatMap { record($0) } + record(fix)
    }
  }

  private mutating func endOfStay() -> [TrackEntry] {
    guard let last = lastOfStay else { return [] }
    lastOfStay = nil
    return record(last)
  }

  /// Records a fix that passes the filters; the first after an interruption is always recorded.
  private mutating func record(_ fix: PositionFix) -> [TrackEntry] {
    let interruption = begin()
    guard !interruption.isEmpty || passes(fix) else { return [] }
    reference = fix
    return interruption + [.fix(fix)]
  }

  /// The interruption, if it has not been recorded yet.
  private mutating func begin() -> [TrackEntry] {
    defer { interruption = nil }
    return interruption.map { [.interruption($0)] } ?? []
  }

  private func passes(_ fix: PositionFix) -> Bool {
    guard let reference else { return true }
    // The interval is not known if the clock was set back.
    if let interval = options.interval, (.zero..<interval).contains(fix.time - reference.time) { return false }
    guard let distance = options.distanceFilter else { return true }
    return Geodesic.inverse(from: reference.coordinate, to: fix.coordinate).distance >= distance
  }
}
