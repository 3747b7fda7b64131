import Fusion
import Geodesy

/// The one estimate of the stream that all clients follow, and how the machine moves by it. An object, as an estimator is large.
final class FusedStream {
  private var estimator = Estimator(answersLater: false)
  private var classifier = MotionClassifier()
  private var activeLink: LinkID?

  /// How it moves; `nil` before that is known.
  var motion: Motion? { classifier.motion }

  /// What is told in place of a fix of the receiver that the stream follows.
  func take(_ fix: PositionFix, from link: LinkID, at now: Instant) -> PositionFix {
    // What cannot be believed is told as it is, with its mark, and nothing is made of it.
    guard fix.suspicion == nil else { return fix }
    if link != activeLink {
      // Another receiver has other errors.
      estimator = Estimator(answersLater: false)
      activeLink = link
    }
    guard var estimate = estimator.handle(fix, at: now) else { return fix }
    // What stands still tells its receiver so (Doppler), before any track does.
    if let speed = fix.speedMetersPerSecond, speed < MotionTuning.slowSpeed {
      estimate.causal.speedMetersPerSecond = speed
      estimate.causal.speedRadius68MetersPerSecond = fix.speedRadius68MetersPerSecond
    }
    if let motion = classifier.handle(estimate.causal, at: now), !motion.hasCourse {
      (estimate.causal.course, estimate.causal.courseRadius68) = (nil, nil)
    }
    return estimate.causal
  }

  /// What is told in place of a position by Wi-Fi: itself, unless a track is known better.
  func takeCoarse(_ fix: PositionFix, at now: Instant) -> PositionFix {
    guard let estimate = estimator.handle(fix, at: now) else { return fix }
    guard estimate.basis == .coasted else { return estimate.causal }
    var told = Self.believed(estimate.causal, at: now)
    told.technologies.formUnion(fix.technologies)
    return told
  }

  /// As it is told: of now, and no receiver has said it.
  private static func believed(_ fix: PositionFix, at now: Instant) -> PositionFix {
    var told = fix
    told.receivedAt = now
    told.kind = .estimated
    told.satellitesUsed = nil
    return told
  }

  /// A gap that is no longer is gone on through: at its end the radius has been measured (Fusion, "The radius"). Thereafter
  /// the position is lost.
  static let longestGap: Duration = .seconds(10)

  /// Where the track went on while its receiver says that it has no fix; `nil`: nobody can say.
  func goOn(_ link: LinkID, at now: Instant) -> PositionFix? {
    guard link == activeLink, let fix = estimator.estimate(at: now), now > fix.receivedAt,
      now - fix.receivedAt <= Self.longestGap
    else { return nil }
    return Self.believed(fix, at: now)
  }

  /// How fast the machine may be before the next look, metres per second; `nil`: nobody knows.
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
