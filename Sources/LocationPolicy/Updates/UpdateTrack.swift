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
