package import Geodesy

/// What a client wants of a stream of fixes.
package struct UpdateOptions: Hashable, Sendable {
  /// Only fixes with at most this 68 % radius are delivered; `nil`: all.
  package var desiredRadius68: Meters?
  /// Only fixes that are at least this far from the previously delivered one; `nil`: all.
  package var distanceFilter: Meters?
  /// The 68 % radius that is good enough for the client, so that the sources that give it do: it filters nothing
  /// (`desiredAccuracy`); `nil`: the best that there is.
  package var sufficientRadius68: Meters?
  /// How the client moves; `nil`: nobody knows.
  package var activity: Activity?
  /// Updates a second that it would like, 1…25; `nil`: as many as the receiver gives.
  package var rateHertz: Int?
  /// Whether a receiver may be set for this stream; else it is only listened to.
  package var setsReceivers: Bool
  /// With no source at all, wait for one to appear instead of failing at once.
  package var waitsForSource: Bool
  /// Where nobody has decided yet whether the client may know.
  package var ifUndecided: UndecidedConduct
  /// Whether it goes on while the client is in the background (`allowsBackgroundLocationUpdates`).
  package var allowsBackground: Bool
  /// Whether it pauses while the client is in the background and it serves nobody (`pausesLocationUpdatesAutomatically`).
  package var pausesAutomatically: Bool
  /// Whether fixes are told as the receiver said them, and not what is believed after them.
  package var isRaw: Bool
  /// Path of the receiver whose fixes alone are delivered; `nil`: any receiver's.
  package var device: String?
  /// Whether it can wait until Wi-Fi has said what it knows. Of the service's own; no client sends it.
  package var isUnhurried = false

  /// Everything as it comes.
  package init(
    desiredRadius68: Meters? = nil, distanceFilter: Meters? = nil, activity: Activity? = nil, rateHertz: Int? = nil,
    waitsForSource: Bool = false, setsReceivers: Bool = true, ifUndecided: UndecidedConduct = .asks,
    allowsBackground: Bool = true, pausesAutomatically: Bool = false, sufficientRadius68: Meters? = nil,
    isRaw: Bool = false
  ) {
    self.desiredRadius68 = desiredRadius68
    self.distanceFilter = distanceFilter
    self.activity = activity
    self.rateHertz = rateHertz
    self.waitsForSource = waitsForSource
    self.setsReceivers = setsReceivers
    self.ifUndecided = ifUndecided
    self.allowsBackground = allowsBackground
    self.pausesAutomatically = pausesAutomatically
    self.sufficientRadius68 = sufficientRadius68
    self.isRaw = isRaw
  }
}
