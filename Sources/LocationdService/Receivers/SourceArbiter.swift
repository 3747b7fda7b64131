import Geodesy

/// Chooses the one receiver that a stream of fixes follows if there are several: interleaved fixes would jump between the errors of
/// two receivers.
///
/// The order of preference decides first. A receiver that comes earlier in the order is used as soon as it has a credible fix, and one
/// that comes later only after the chosen one has given no fix for `failoverAfter`. Among receivers of equal rank the stream stays with
/// the one that it follows, unless another is much more accurate.
struct SourceArbiter {
  private var chosen: LinkID?
  private var chosenRank = 0
  private var lastFixAt = Instant(nanoseconds: .min)
  private var lastRadius = Meters(0)

  /// After this long without a fix of the chosen receiver, any other of its rank is accepted.
  static let patience: Duration = .seconds(3)
  /// To be worth the jump, another receiver's radius must be below this share of the last one.
  static let shareWorthAJump = 0.5

  /// Whether a fix of `link` belongs to the stream.
  ///
  /// - Parameters:
  ///   - rank: the receiver's place in the order of preference; 0 is the best.
  ///   - failoverAfter: how long a receiver that comes earlier in the order may give no fix.
  mutating func accepts(
    _ fix: PositionFix, from link: LinkID, rank: Int = 0,
    failoverAfter: Duration = ReceiverPreferences.usualFailover, at now: Instant
  ) -> Bool {
    guard chosen != link else { return follow(fix, of: link, rank, at: now) }
    guard chosen != nil else { return follow(fix, of: link, rank, at: now) }
    let silence = now - lastFixAt
    let isCredible = fix.qualityFlag == nil
    let isTaken =
      if rank < chosenRank {
        isCredible || silence > failoverAfter
      } else if rank > chosenRank {
        silence > failoverAfter
      } else {
        silence > Self.patience || (isCredible && fix.horizontalRadius68 < lastRadius * Self.shareWorthAJump)
      }
    return isTaken && follow(fix, of: link, rank, at: now)
  }

  private mutating func follow(_ fix: PositionFix, of link: LinkID, _ rank: Int, at now: Instant) -> Bool {
    chosen = link
    chosenRank = rank
    // A suspect fix does not keep other receivers out.
    guard fix.qualityFlag == nil else { return true }
    lastFixAt = now
    lastRadius = fix.horizontalRadius68
    return true
  }

  /// Whether a receiver that comes earlier in the order has given a fix so recently that the fixes of this one must not
  /// answer requests.
  func excludes(_ link: LinkID, rank: Int, failoverAfter: Duration, at now: Instant) -> Bool {
    guard let chosen, chosen != link, rank > chosenRank else { return false }
    return now - lastFixAt <= failoverAfter
  }

  /// Whether no receiver has a fix now.
  func isIdle(at now: Instant) -> Bool { chosen == nil || now - lastFixAt > Self.patience }

  /// Forgets a device that was removed.
  mutating func forget(_ link: LinkID) {
    if chosen == link { chosen = nil }
  }

  /// Chooses again at the next fix, because the order has changed.
  mutating func chooseAgain() { chosen = nil }
}
