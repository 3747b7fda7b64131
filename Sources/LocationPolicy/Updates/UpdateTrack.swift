import Geodesy

/// The fixes of a stream so far: decides which fix is new, and which is delivered.
struct UpdateTrack {
  /// Position and radius of the fix from which the distance filter measures.
  private var reference: (coordinate: Coordinate, radius68: Meters)
  /// Receive time of the newest delivered fix; no fix received then or earlier is delivered any more.
  private var deliveredAt: Instant
  private var deliveredEpochs = EpochMemory()
  /// Receive time of the newest valid fix.
  private var validAt: Instant
  private var validEpochs = EpochMemory()
  private var pace: EpochInterval
  /// When the position is lost unless a valid fix comes.
  private(set) var lostAt: Instant

  /// Starts with a valid fix that is delivered.
  init(first fix: PositionFix, lasting: Duration?) {
    reference = (fix.coordinate, fix.horizontalRadius68)
    deliveredAt = fix.receivedAt
    validAt = fix.receivedAt
    pace = EpochInterval(first: fix.time)
    lostAt = fix.receivedAt + (lasting ?? pace.longestSilence)
    deliveredEpochs.note(fix)
    validEpochs.note(fix)
  }

  /// Whether a fix was received no later than the last delivered one, or is of an epoch already delivered.
  func isRepetition(_ fix: PositionFix) -> Bool {
    fix.receivedAt <= deliveredAt || deliveredEpochs.contains(fix)
  }

  /// Records a valid fix as activity of the source, delivered or not; each epoch counts once.
  ///
  /// - Returns: whether it counted.
  @discardableResult
  mutating func keepAlive(_ fix: PositionFix, lasting: Duration?) -> Bool {
    guard !validEpochs.contains(fix) else { return false }
    validEpochs.note(fix)
    validAt = max(validAt, fix.receivedAt)
    pace.add(fix.time)
    lostAt = validAt + (lasting ?? pace.longestSilence)
    return true
  }

  /// Whether a fix passes the distance filter: far enough, or more accurate.
  func passes(_ fix: PositionFix, _ distanceFilter: Meters?) -> Bool {
    distanceFilter.map { fix.isUpdate(after: reference.coordinate, reference.radius68, beyond: $0) } ?? true
  }

  /// Records a delivery. A suspect fix is delivered, but is not a reference for the filter.
  mutating func deliver(_ fix: PositionFix) {
    deliveredAt = fix.receivedAt
    deliveredEpochs.note(fix)
    if fix.qualityFlag == nil { reference = (fix.coordinate, fix.horizontalRadius68) }
  }
}

/// Remembers the last epoch of each device, so that a receiver that repeats itself does not count as active.
struct EpochMemory {
  /// Maximum number of devices; a machine has one or two, for which a linear search is faster than hashing.
  static let capacity = 8

  private var epochs: [(device: String?, time: GNSSTime)] = []

  /// Whether a fix is of the epoch last recorded for its device.
  func contains(_ fix: PositionFix) -> Bool {
    // By index: iteration would copy the elements.
    for index in epochs.indices where epochs[index].time == fix.time {
      if epochs[index].device == fix.device { return true }
    }
    return false
  }

  /// Records a fix as its device's last epoch.
  mutating func note(_ fix: PositionFix) {
    if let index = epochs.indices.first(where: { epochs[$0].device == fix.device }) {
      epochs[index].time = fix.time
    } else {
      if epochs.count >= Self.capacity { epochs.removeAll() }
      epochs.append((fix.device, fix.time))
    }
  }
}

/// Learns the interval between a source's epochs, to know when one is overdue.
struct EpochInterval {
  /// The position is lost after this many epochs without a valid fix, and after at least `shortestSilence`.
  static let silentEpochs = 3
  /// Minimum time, which also applies to faster receivers.
  static let shortestSilence: Duration = .seconds(3)
  /// A longer interval is a gap, not a rate.
  static let slowestPeriod: Duration = .seconds(20)

  private var newest: GNSSTime
  /// The last two periods; the shorter one counts, so that one missing epoch does not look like a slow receiver.
  private var (earlierPeriod, period) = (Duration.zero, Duration.zero)

  /// Starts with one epoch.
  init(first epoch: GNSSTime) { newest = epoch }

  /// Adds the time of the next epoch; the same epoch again changes nothing.
  mutating func add(_ epoch: GNSSTime) {
    let gap = epoch - newest
    newest = epoch
    guard gap > .zero, gap <= Self.slowestPeriod else { return }
    (earlierPeriod, period) = (period, gap)
  }

  /// How long the position lasts without a valid fix.
  var longestSilence: Duration { max(min(earlierPeriod, period) * Self.silentEpochs, Self.shortestSilence) }
}
