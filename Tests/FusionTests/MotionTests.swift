import Fusion
import Geodesy
import TestSupport
import Testing

/// The kind of motion, from the estimate alone.
@Suite struct MotionTests {
  /// Speeds with the noise of a receiver, one per second.
  private func motions(_ speeds: [Double], noise: Double = 0.15, _ classifier: inout MotionClassifier, from: Int = 0)
    -> [Motion?]
  {
    var random = SplitMix64(seed: UInt64(from + speeds.count))
    return speeds.enumerated().map { index, speed in
      var fix = PositionFix.test(at: Double(from + index), .town)
      fix.speedMetersPerSecond = max(0, speed + Double.random(in: -noise...noise, using: &random))
      fix.speedRadius68MetersPerSecond = 0.1
      return classifier.handle(fix, at: fix.receivedAt)
    }
  }

  @Test(arguments: [
    (0.0, Motion.stationary), (1.3, .walking), (3.1, .running), (5.5, .cycling), (14, .driving), (33, .driving),
  ])
  func itIsNamed(speed: Double, motion: Motion) {
    var classifier = MotionClassifier()
    let answers = motions([Double](repeating: speed, count: 120), &classifier)
    #expect(answers.last == motion)
  }

  /// The drive stops at crossings, and then immediately continues as before.
  @Test func standingDoesNotForget() {
    var classifier = MotionClassifier()
    let walk = [Double](repeating: 1.3, count: 60), stop = [Double](repeating: 0, count: 20)
    let answers = motions(walk + stop + walk + stop + walk, &classifier)
    #expect(answers[70] == .stationary && answers[85] == .walking && answers.last == .walking)
    #expect(flips(answers) == 4)
  }

  /// The result does not alternate around the threshold between walking and running.
  @Test func itDoesNotFlicker() {
    var classifier = MotionClassifier()
    var random = SplitMix64(seed: 4)
    let speeds = (0..<1800).map { _ in Double.random(in: 1.8...2.3, using: &random) }
    let answers = motions(speeds, &classifier)
    #expect(flips(answers) <= 2)
  }

  /// A traffic jam does not become a bicycle ride.
  @Test func aJamIsStillDriving() {
    var classifier = MotionClassifier()
    var speeds = [Double](repeating: 13, count: 120)
    for _ in 0..<3 { speeds += [Double](repeating: 3, count: 15) + [Double](repeating: 0, count: 20) }
    let answers = motions(speeds, &classifier)
    #expect(!answers.compactMap(\.self).contains { $0 == .cycling || $0 == .running || $0 == .walking })
  }

  /// After a person leaves the car, the result is walking within some minutes.
  @Test func outOfTheCar() {
    var classifier = MotionClassifier()
    let speeds =
      [Double](repeating: 13, count: 120) + [Double](repeating: 0, count: 60) + [Double](repeating: 1.3, count: 240)
    let answers = motions(speeds, &classifier)
    #expect(answers.last == .walking)
  }

  @Test func nothingIsKnownOfNothing() {
    var classifier = MotionClassifier()
    let first = classifier.handle(.test(at: 0, .town), at: Instant(nanoseconds: 0))
    #expect(first == nil)
    for value in [Double.nan, .infinity, -1] {
      var fix = PositionFix.test(at: 1, .town)
      fix.speedMetersPerSecond = value
      let motion = classifier.handle(fix, at: fix.receivedAt)
      #expect(motion == nil)
    }
  }

  // MARK: - The activity

  private func watch(_ parts: [(Motion, minutes: Int)]) -> (activity: Motion?, isOver: Bool) {
    var watch = ActivityWatch()
    var seconds = 0
    for (motion, minutes) in parts {
      for _ in 0..<(minutes * 60) {
        watch.handle(motion, at: Instant(nanoseconds: Int64(seconds) * 1_000_000_000))
        seconds += 1
      }
    }
    return (watch.activity, watch.isOver)
  }

  @Test func aRunnerWhoRidesInACarIsOver() {
    #expect(watch([(.running, 20), (.driving, 4)]) == (.running, false))
    #expect(watch([(.running, 20), (.driving, 6)]) == (.running, true))
    #expect(watch([(.walking, 1), (.running, 20), (.stationary, 10), (.driving, 6)]) == (.running, true))
  }

  @Test func aDriverWhoWalksIsOver() {
    #expect(watch([(.driving, 20), (.walking, 6)]) == (.driving, true))
    #expect(watch([(.driving, 20), (.stationary, 60)]) == (.driving, false))
  }

  @Test func whatOverlapsIsNotOver() {
    #expect(watch([(.running, 20), (.cycling, 30), (.walking, 30)]) == (.running, false))
    #expect(watch([(.cycling, 20), (.driving, 30)]) == (.cycling, false))
    #expect(watch([(.driving, 20), (.cycling, 30)]) == (.driving, false))
  }

  /// The previous activity is resumed.
  @Test func onAgain() {
    #expect(watch([(.running, 20), (.driving, 6), (.running, 1)]) == (.running, false))
  }

  private func flips(_ answers: [Motion?]) -> Int {
    let known = answers.compactMap(\.self)
    return zip(known, known.dropFirst()).count { $0 != $1 }
  }
}
