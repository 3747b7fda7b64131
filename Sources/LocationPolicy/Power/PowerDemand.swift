package import Geodesy

/// What one request asks of the sources, as far as it decides which of them run.
package struct PowerDemand: Hashable, Sendable {
  /// The 68 % radius that is good enough; `nil`: the best that there is.
  package var sufficientRadius68: Meters?
  /// Updates a second that it would like; `nil`: as many as there are, and no more.
  package var rateHertz: Int?
  /// Whether it guides somebody along a way, now: a position that is late is wrong.
  package var navigates: Bool
  /// Whether somebody waits for it, and wants no more than one.
  package var isWaitedFor: Bool
  /// Whether its client is in the background, where nobody looks.
  package var isInBackground: Bool
  /// Whether only satellites answer it: a look at the sky, a capture.
  package var needsSatellites: Bool
  /// Whether it can wait until Wi-Fi has said what it knows.
  package var isUnhurried = false

  /// The best, as it comes, for somebody who looks.
  package init(
    sufficientRadius68: Meters? = nil, rateHertz: Int? = nil, navigates: Bool = false, isWaitedFor: Bool = false,
    isInBackground: Bool = false, needsSatellites: Bool = false
  ) {
    self.sufficientRadius68 = sufficientRadius68
    self.rateHertz = rateHertz
    self.navigates = navigates
    self.isWaitedFor = isWaitedFor
    self.isInBackground = isInBackground
    self.needsSatellites = needsSatellites
  }

  /// Whether a coarse position that comes now and then answers it.
  var isPatient: Bool {
    sufficientRadius68 != nil && rateHertz == nil && !navigates && !isWaitedFor && !needsSatellites
  }
}
