/// How long something has to last before updates are paused by themselves.
///
/// Apple states no figures (Documentation/Behavior.md, "Activity and automatic pause": minutes, not seconds; seen in the field:
/// 10–20 min without movement). These are ours, on the long side: users complain of pauses that come too early, not of those that
/// come late.
package struct AutoPauseLimits: Hashable, Sendable {
  /// Not moving; `nil`: a standstill pauses nothing.
  package var standstill: Duration?
  /// No fix to be had.
  package var silence: Duration
  /// The activity is plainly over: faster than this, in metres per second, for `ride`. `nil`: no speed tells.
  package var ridingSpeed: Double?
  package var ride: Duration = .seconds(5 * 60)
  /// Whether what it is out for is learnt, so that it is over when it plainly does something else.
  package var learnsActivity = false

  package init(
    standstill: Duration?, silence: Duration, ridingSpeed: Double? = nil, learnsActivity: Bool = false
  ) {
    self.learnsActivity = learnsActivity
    self.standstill = standstill
    self.silence = silence
    self.ridingSpeed = ridingSpeed
  }

  /// Nothing known of how the client moves.
  package static let other = AutoPauseLimits(standstill: .seconds(15 * 60), silence: .seconds(15 * 60))
  /// A vehicle that stands is parked, or in a jam; a jam moves within ten minutes.
  package static let automotive = AutoPauseLimits(
    standstill: .seconds(10 * 60), silence: .seconds(15 * 60), learnsActivity: true)
  /// On foot or on a bicycle; 50 km/h for five minutes is a car or a train.
  package static let fitness = AutoPauseLimits(
    standstill: .seconds(10 * 60), silence: .seconds(15 * 60), ridingSpeed: 50 / 3.6, learnsActivity: true)
  /// Trains and boats, which wait long.
  package static let otherNavigation = AutoPauseLimits(standstill: .seconds(20 * 60), silence: .seconds(20 * 60))
  /// On the ground before the start, and without reception in a cabin.
  package static let airborne = AutoPauseLimits(standstill: .seconds(30 * 60), silence: .seconds(30 * 60))
  /// Vessels on the water, including at anchor (Apple's description of `CLActivityType.maritime`): a boat at anchor does not move
  /// and is still under way for its crew, so only a lack of fixes pauses it, below deck or in a shed.
  package static let maritime = AutoPauseLimits(standstill: nil, silence: .seconds(30 * 60))
}
