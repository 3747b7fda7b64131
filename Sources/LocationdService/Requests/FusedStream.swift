import Fusion
import Geodesy

/// The one estimate of the stream that all clients follow, and the machine's motion according to it. An object, because an
/// estimator is large.
final class FusedStream {
  private var estimator = Estimator(answersLater: false)
  private var classifier = MotionClassifier()
  private var activeLink: LinkID?

  /// The machine's motion; `nil` until it is known.
  var motion: Motion? { classifier.motion }

  /// Returns the fused fix for a fix of the receiver that the stream follows.
  func fuse(_ fix: PositionFix, from link: LinkID, at now: Instant) -> PositionFix {
    // A suspect fix is sent as it is, with its flag, and does not enter the estimate.
    guard fix.qualityFlag == nil else { return fix }
    if link != activeLink {
      // Another receiver has other errors, so the estimate starts again.
      estimator = Estimator(answersLater: false)
      activeLink = link
    }
    guard var estimate = estimator.handle(fix, at: now) else { return fix }
    // A receiver detects a standstill (by Doppler) before any track does.
    if let speed = fix.speedMetersPerSecond, speed < MotionTuning.slowSpeed {
      estimate.causal.speedMetersPerSecond = speed
      estimate.causal.speedRadius68MetersPerSecond = fix.speedRadius68MetersPerSecond
    }
    if let motion = classifier.handle(estimate.causal, at: now), !motion.hasCourse {
      (estimate.causal.course, estimate.causal.courseRadius68) = (nil, nil)
    }
    return estimate.causal
  }

  /// Returns the fix to send for a position by Wi-Fi: that position itself, unless the track is known better.
  func takeCoarse(_ fix: PositionFix, at now: Instant) -> PositionFix {
    guard let estimate = estimator.handle(fix, at: now) else { return fix }
    guard estimate.basis == .coasted else { return estimate.causal }
    var reported = Self.believed(estimate.causal, at: now)
    reported.technologies.formUnion(fix.technologies)
    return reported
  }

  /// The estimate as it is sent: for the present, and not measured by a receiver.
  private static func believed(_ fix: PositionFix, at now: Instant) -> PositionFix {
    var reported = fix
    reported.receivedAt = now
    reported.kind = .estimated
    (reported.satellitesUsed, reported.hdop, reported.correctionAge) = (nil, nil, nil)
    return reported
  }

  /// The estimate bridges gaps up to this length: the radius at its end has been measured (Fusion, "The radius"). After that the
  /// position is lost.
  static let longestGap: Duration = .seconds(10)

  /// The extrapolated track while its receiver reports no fix; `nil`: unknown.
  func predict(_ link: LinkID, at now: Instant) -> PositionFix? {
    guard link == activeLink, let fix = estimator.estimate(at: now), now > fix.receivedAt,
      now - fix.receivedAt <= Self.longestGap
    else { return nil }
    return Self.believed(fix, at: now)
  }

  /// The highest speed to expect of the machine before the next position check, in meters per second; `nil`: unknown.
  var speedBound: Double? {
    switch motion {
    case nil: nil
    case .stationary?: 0
    // A brisk walk, a long-distance runner, a bicycle downhill, a car on a motorway.
    case .walking?: 2.5
    case .running?: 6
    case .cycling?: 15
    case .driving?: 40
    }
  }
}
