package import Geodesy
package import WireFormats

/// A provider's answer and what it was asked, so that nobody asks again at the same place.
package struct KeptAnswer: Hashable, Sendable {
  /// What the question told, strongest first; at most `GeolocateRequest.mostCount`.
  package var bssids: [BSSID]
  package var answer: GeolocateAnswer
  /// When it was given; `nil`: the clock was not set.
  package var answeredAt: GNSSTime?

  package init(bssids: [BSSID], answer: GeolocateAnswer, answeredAt: GNSSTime?) {
    self.bssids = bssids
    self.answer = answer
    self.answeredAt = answeredAt
  }

  /// Access points that have moved are found out within a week; new ones may be known tomorrow.
  private static let (lifeOfPlace, lifeOfNothing): (Duration, Duration) = (.seconds(7 * 86_400), .seconds(86_400))
  /// Whether it still holds; where nobody knows the time, it does.
  func holds(on wall: GNSSTime?) -> Bool {
    FetchedAge.holds(answeredAt, for: answer == .notFound ? Self.lifeOfNothing : Self.lifeOfPlace, on: wall)
  }

  /// Whether it was asked where these are heard: most of what was strong is heard, and most of what is strong was told.
  func isOfPlace(_ request: GeolocateRequest) -> Bool {
    let told = request.sightings.map(\.bssid)
    return SamePlace.isMostHeard(of: bssids, in: Set(told)) && SamePlace.isMostHeard(of: told, in: Set(bssids))
  }
}
