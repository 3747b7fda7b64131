package import Geodesy

/// Tells when fixes have stopped getting better: the break-even point of Documentation/Behavior.md, "One fix".
///
/// No gain above 10 % for 3 epochs, and at most 3 s (a slow receiver is not waited for); a fix of a receiver that tracks
/// already has converged. A gain is measured against the radius of the last gain, so that many small steps count as what
/// they add up to, and one regression does not make the next fix look like progress.
package struct Convergence: Hashable, Sendable {
  /// A radius below this share of the last one is a gain.
  package static let gainShare = 0.9
  /// As many epochs without a gain are the break-even point.
  package static let epochsWithoutGain = 3
  /// So is as much time without a gain.
  package static let timeWithoutGain: Duration = .seconds(3)
  /// However much is still gained, nobody waits longer after the first fix.
  package static let timeAfterFirstFix: Duration = .seconds(10)

  private let firstFixAt: Instant
  private var lastGainAt: Instant
  /// The radius at the last gain.
  private var reference: Meters
  /// The epoch of the last fix: a prompt and a complete fix of one epoch are one.
  private var epoch: GNSSTime
  private var epochsWithoutGain = 0
  private var isTracked: Bool

  /// Begins with the first usable fix.
  package init(firstFix fix: PositionFix, isTracked: Bool, at now: Instant) {
    firstFixAt = now
    lastGainAt = now
    reference = fix.horizontalRadius68
    epoch = fix.time
    self.isTracked = isTracked
  }

  /// Takes one more usable fix.
  package mutating func add(_ fix: PositionFix, isTracked: Bool, at now: Instant) {
    self.isTracked = isTracked
    let isNewEpoch = fix.time != epoch
    epoch = fix.time
    if fix.horizontalRadius68 < reference * Self.gainShare {
      reference = fix.horizontalRadius68
      lastGainAt = now
      epochsWithoutGain = 0
    } else if isNewEpoch {
      epochsWithoutGain += 1
    }
  }

  /// When waiting ends though no further fix comes.
  package var deadline: Instant {
    min(lastGainAt + Self.timeWithoutGain, firstFixAt + Self.timeAfterFirstFix)
  }

  /// Whether there is nothing more to wait for.
  package func isReached(at now: Instant) -> Bool {
    isTracked || epochsWithoutGain >= Self.epochsWithoutGain || now >= deadline
  }
}
