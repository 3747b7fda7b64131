package import Geodesy

/// How long something has to last before another source is taken. All of these are ours: Apple states none.
package struct PowerLimits: Sendable {
  /// From one scan to the next while it moves, and while it stands still: each takes the radio away from its network, and other
  /// programs' scans come for nothing.
  package var scanPeriod: (moving: Duration, still: Duration) = (.seconds(30), .seconds(300))
  /// While satellites say where it is, what is around is learnt that often, by a radio that is on no network: in a town a car comes
  /// a hundred metres further in ten seconds, as far as an access point is heard.
  package var learningPeriod: (moving: Duration, still: Duration) = (.seconds(10), .seconds(300))
  /// A scan that is late by less still tells of the present.
  package var scanDelay: Duration = .seconds(10)
  /// Who is in no hurry waits for so long for what Wi-Fi says, before satellites are asked: a scan takes some seconds.
  package var patienceForWiFi: Duration = .seconds(15)
  /// With satellites this good nobody scans who would not do with Wi-Fi alone,
  package var goodRadius = Meters(20)
  /// which nobody does who wants more than this.
  package var leastWiFiRadius = Meters(50)
  /// As long has it to stand still, with nothing gained from the satellites, before they are let go. A cold receiver under a good
  /// sky takes 36 s to its first fix, twice that indoors near a window.
  package var stillness: Duration = .seconds(120)
  /// And this often it is tried anew, as windows are opened and cars pushed out of garages without a scan noticing it;
  package var trialPeriod: Duration = .seconds(15 * 60)
  /// for so long: twice a hot start.
  package var trial: Duration = .seconds(30)
  /// What has been switched on stays on for so long, so that a radius that wavers about the limit switches nothing.
  package var leastOn: Duration = .seconds(60)
  /// Wi-Fi has to be better than what is wanted by this share before it takes over.
  package var margin = 0.8
  /// A wish for at least this radius lets the receiver sleep between fixes.
  package var sparingRadius = Meters(100)
  /// What a car on a motorway moves in a second, metres, where nobody knows how the machine moves.
  package var greatestSpeed = 40.0
  /// The least and the longest sleep: shorter ones save nothing (UBX power save mode needs 1 s to settle), in longer ones the
  /// satellites' orbits become old.
  package var sparing: ClosedRange<Duration> = .seconds(2)...Duration.seconds(60)

  package init() {}
}
