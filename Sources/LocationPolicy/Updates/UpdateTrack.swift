import Geodesy

/// What a stream has seen and delivered so far: decides which fix is new, and which is worth telling.
struct UpdateTrack {
  /// Place and radius of the fix that the distance filter measures from.
  private var reference: (coordinate: Coordinate, radius68: Meters)
  /// When the newest fix that was delivered had arrived; nothing as old is delivered again.
  private var deliveredAt: Instant
  private var deliveredEpochs = EpochMemory()
  /// When the newest valid fix arrived.
  private var validAt: Instant
  private var validEpochs = EpochMemory()
  private var pace: EpochPace
  /// When the position is lost unless something valid comes.
  private(set) var lostAt: Instant

  /// Begins with a valid fix that is delivered.
  init(first fix: PositionFix, lasting: Duration?) {
    reference = (fix.coordinate, fix.horizontalRadius68)
    deliveredAt = fix.receivedAt
    validAt = fix.receivedAt
    pace = EpochPace(first: fix.time)
    lostAt = fix.receivedAt + (lasting ?? pace.longestSilence)
    deliveredEpochs.note(fix)
    validEpochs.note(fix)
  }

  /// Whether a fix had arrived before the last delivery, or is of an epoch that has been delivered.
  func isRepetition(_ fix: PositionFix) -> Bool {
    fix.receivedAt <= deliveredAt || deliveredEpochs.contains(fix)
  }

  /// Takes a valid fix as a sign of life, whether or not it is delivered; an epoch is one only once.
  ///
  /// - Returns: whether it was one.
  @discardableResult
  mutating func keepAlive(_ fix: PositionFix, lasting: Duration?) -> Bool {
    guard !validEpochs.contains(fix) else { return false }
    validEpochs.note(fix)
    validAt = max(validAt, fix.receivedAt)
    pace.add(fix.time)
    lostAt = validAt + (lasting ?? pace.longestSilence)
    return true
  }

  /// Whether the distance filter lets a fix through: far enough, or better.
  func passes(_ fix: PositionFix, _ distanceFilter: Meters?) -> Bool {
    distanceFilter.map { fix.isNews(after: reference.coordinate, reference.radius68, beyond: $0) } ?? true
  }

  /// Notes a delivery. A suspect fix is told but nothing is measured from it.
  mutating func deliver(_ fix: PositionFix) {
    deliveredAt = fix.receivedAt
    deliveredEpochs.note(fix)
    if fix.suspicion == nil { reference = (fix.coordinate, fix.horizontalRadius68) }
  }
}

/// Remembers the last epoch of each device, so that a receiver that repeats itself is not taken for one that goes on.
struct EpochMemory {
  /// As many devices are remembered; a machine has one or two, which are found sooner than hashed.
  static let capacity = 8

  private var epochs: [(device: String?, time: GNSSTime)] = []

  /// Whether a fix is of the last epoch that its device was noted with.
  func contains(_ fix: PositionFix) -> Bool {
    // By index: an element would be copied out.
    for index in epochs.indices where epochs[index].time == fix.time {
      if epochs[index].device == fix.device { return true }
    }
    return false
  }

  /// Notes a fix as its device's last epoch.
  mutating func note(_ fix: PositionFix) {
    if let index = epochs.indices.first(where: { epochs[$0].device == fix.device }) {
      epochs[index].time = fix.time
    } else {
      if epochs.count >= Self.capacity { epochs.removeAll() }
      epochs.append((fix.device, fix.time))
    }
  }
}

/// Learns how far apart a source's epochs are, to know when one is overdue.
struct EpochPace {
  /// As many epochs without a valid fix, and at least `shortestSilence`, mean that the position is lost.
  static let silentEpochs = 3
  /// Faster receivers are given this long all the same.
  static let shortestSilence: Duration = .seconds(3)
  /// Nothing slower is taken for a pace: it is a gap.
  static let slowestPeriod: Duration = .seconds(20)

  private var newest: GNSSTime
  /// The last two periods; the shorter one counts, so that one missing epoch does not look like a slow receiver.
  private var (earlierPeriod, period) = (Duration.zero, Duration.zero)

  /// Begins with one epoch.
  init(first epoch: GNSSTime) { newest = epoch }

  /// Takes the time of the next epoch; of the same one again it learns nothing.
  mutating func add(_ epoch: GNSSTime) {
    let gap = epoch - newest
    newest = epoch
    guard gap > .zero, gap <= Self.slowestPeriod else { return }
    (earlierPeriod, period) = (period, gap)
  }

  /// How long nothing valid may come before the position is lost.
  var longestSilence: Duration { max(min(earlierPeriod, period) * Self.silentEpochs, Self.shortestSilence) }
}
