package import Geodesy

/// Where a time comes from.
package enum TimeOrigin: UInt8, Hashable, Sendable, CaseIterable {
  /// A receiver at a port of this machine, read by this service.
  case localReceiver = 0
  /// A receiver that gpsd reads: gpsd sends its time itself.
  case gpsd = 1
  case network = 2
  case wifi = 3
  case replay = 4
  case simulator = 5
}

/// What an epoch shows about its time.
package struct TimeEvidence: Hashable, Sendable {
  package var origin: TimeOrigin
  /// `nil`: the receiver has not reported a time.
  package var time: GNSSTime?
  package var validity: TimeValidity
  /// Whether the receiver itself confirms its time (UBX `confirmedTime`, `fullyResolved`); `nil`: it cannot report that.
  package var receiverConfirms: Bool?
  /// GPS − UTC in seconds that the receiver uses (UBX-NAV-TIMELS); `nil`: not reported.
  package var leapSeconds: Int8?
  /// Whether that value is the firmware's own, not yet received from a satellite.
  package var leapSecondsAreDefault: Bool
  /// Whether the epoch contains a 3D fix of its own satellites.
  package var is3DFix: Bool
  /// Whether the date cannot be 1024 weeks off: the receiver's date was compared with a date that is certainly past.
  package var isEraCertain: Bool
  package var qualityFlag: FixQualityFlag?
  /// When the epoch's last message arrived.
  package var receivedAt: Instant
  /// The time between epochs.
  package var cycle: Duration

  /// Evidence of a local receiver that confirms nothing; the caller sets the rest.
  package init(
    origin: TimeOrigin, time: GNSSTime?, validity: TimeValidity, receivedAt: Instant, cycle: Duration = .seconds(1)
  ) {
    (self.origin, self.time, self.validity) = (origin, time, validity)
    (self.receivedAt, self.cycle) = (receivedAt, cycle)
    leapSecondsAreDefault = false
    is3DFix = false
    isEraCertain = false
  }
}

/// Why a time is not sent.
package enum TimeRefusal: UInt8, Hashable, Sendable, CaseIterable {
  /// It does not come from a receiver at a port of this machine.
  case notLocal = 0
  case simulated = 1
  case noTime = 2
  /// The fix is older than a cycle.
  case stale = 3
  /// The receiver reports jamming or spoofing, or the position has jumped, now or shortly before.
  case interference = 4
  /// The receiver has not confirmed its time, or there are no three consecutive 3D fixes yet.
  case unconfirmed = 5
  /// The date may be 1024 weeks off.
  case eraUncertain = 6
  /// The receiver may still use an old number of leap seconds.
  case leapUncertain = 7
}

/// Decides which times may be sent to a clock.
package struct TimeEligibility: Sendable {
  /// Consecutive seconds with a 3D fix that confirm the time of a receiver that cannot confirm it.
  package static let secondsToConfirm = 3
  /// After fixes for this long, a receiver has received the leap seconds: a GPS almanac takes 12.5 minutes.
  package static let timeToLearnLeapSeconds: Duration = .seconds(15 * 60)
  /// How long no time is sent after a sign of interference.
  package static let timeAfterInterference: Duration = .seconds(5 * 60)

  private let table: LeapSecondTable
  private var lastSecond: Int64?
  private var consecutiveSeconds = 0
  private var firstFixAt: Instant?
  private var interferenceAt: Instant?

  package init(table: LeapSecondTable = LeapSecondTable()) { self.table = table }

  /// Handles the next epoch; returns why its time may not be sent, or `nil` if it may.
  package mutating func handle(_ evidence: TimeEvidence, at now: Instant) -> TimeRefusal? {
    switch evidence.origin {
    case .localReceiver: break
    case .gpsd, .network, .wifi: return .notLocal
    case .replay, .simulator: return .simulated
    }
    count(evidence, at: now)
    if isInterfered(at: now) { return .interference }
    guard let time = evidence.time else { return .noTime }
    guard now - evidence.receivedAt <= evidence.cycle else { return .stale }
    guard evidence.validity == .confirmed, evidence.receiverConfirms ?? (consecutiveSeconds >= Self.secondsToConfirm)
    else { return .unconfirmed }
    guard evidence.isEraCertain else { return .eraUncertain }
    return hasLeapSeconds(evidence, time, at: now) ? nil : .leapUncertain
  }

  /// Whether interference was suspected shortly before: the clock is not set then either.
  package func isInterfered(at now: Instant) -> Bool {
    interferenceAt.map { now - $0 < Self.timeAfterInterference } ?? false
  }

  /// The port was opened again, or the receiver has restarted: it may have lost what it had received.
  package mutating func receiverRestarted() {
    lastSecond = nil
    consecutiveSeconds = 0
    firstFixAt = nil
  }

  private mutating func count(_ evidence: TimeEvidence, at now: Instant) {
    switch evidence.qualityFlag {
    case .jammed, .implausible: interferenceAt = now
    // A receiver with a surveyed position repeats it exactly; that does not make its time wrong.
    case .frozen, nil: break
    }
    guard let time = evidence.time, evidence.is3DFix else {
      lastSecond = nil
      consecutiveSeconds = 0
      return
    }
    firstFixAt = firstFixAt ?? now
    let second = time.nanosecondsSince1970 / 1_000_000_000
    switch lastSecond.map({ second &- $0 }) {
    case 0?: break
    case 1?: consecutiveSeconds = min(consecutiveSeconds + 1, Self.secondsToConfirm)
    default: consecutiveSeconds = 1
    }
    lastSecond = second
  }

  private func hasLeapSeconds(_ evidence: TimeEvidence, _ time: GNSSTime, at now: Instant) -> Bool {
    if let seconds = evidence.leapSeconds {
      if let expected = table.seconds(at: time), seconds == expected { return true }
      if !evidence.leapSecondsAreDefault { return true }
    }
    guard consecutiveSeconds >= Self.secondsToConfirm, let firstFixAt else { return false }
    return now - firstFixAt >= Self.timeToLearnLeapSeconds
  }
}
