/// What a fix is worth some time after it was true: the one place where a radius grows with age.
///
/// Documentation/Behavior.md, "Accuracy": the radius includes what may have happened since, age times speed.
extension PositionFix {
  /// The speed taken where the fix tells none: a brisk walk, in metres per second. A vehicle's receiver tells its speed.
  package static let assumedSpeedMetersPerSecond = 1.5

  /// A speed that is older says nothing of now.
  package static let speedLifetime: Duration = .seconds(60)

  /// No radius grows beyond half the circumference of the Earth: there is no place further away.
  package static let greatestRadius68 = Meters(20_037_508)

  /// How old the fix is at `now`, by the monotonic clock since its arrival; never negative. What it took on the way from
  /// the antenna is not in it: nothing says how long that was.
  package func age(at now: Instant) -> Duration {
    max(.zero, now - receivedAt)
  }

  /// The 68 % radius at `now`: that of the fix, plus age times speed.
  package func horizontalRadius68(at now: Instant) -> Meters {
    let seconds = age(at: now).inSeconds
    let told = max(0, speedMetersPerSecond ?? Self.assumedSpeedMetersPerSecond)
    // What stood still may have set out since.
    let speed = seconds > Self.speedLifetime.inSeconds ? max(told, Self.assumedSpeedMetersPerSecond) : told
    let grown = horizontalRadius68.value + seconds * speed
    return Meters(min(grown, max(Self.greatestRadius68.value, horizontalRadius68.value)))
  }

  /// The fix as it is told at `now`: its radius grown, everything else as it was. It must not be grown a second time:
  /// `receivedAt` stays, so that its age can still be told.
  package func grown(to now: Instant) -> PositionFix {
    var fix = self
    fix.horizontalRadius68 = horizontalRadius68(at: now)
    return fix
  }
}
