package import Geodesy

/// A client's options for a stream of fixes.
package struct UpdateOptions: Hashable, Sendable {
  /// Only fixes with at most this 68 % radius are delivered; `nil`: all.
  package var desiredRadius68: Meters?
  /// Only fixes that are at least this far from the previously delivered one are delivered, unless the accuracy has improved;
  /// `nil`: all.
  package var distanceFilter: Meters?
  /// The 68 % radius that is good enough for the client (`desiredAccuracy`): it helps to decide which sources run, and filters
  /// nothing; `nil`: the best available.
  package var sufficientRadius68: Meters?
  /// How the client moves; `nil`: unknown.
  package var activity: Activity?
  /// Preferred number of updates per second, 1…25; `nil`: the receiver's own rate.
  package var rateHertz: Int?
  /// Whether the service may configure a receiver for this stream; else it only reads it.
  package var setsReceivers: Bool
  /// With no source at all, wait for one to appear instead of failing after `OneShot.enumerationTime`.
  package var waitsForSource: Bool
  /// What happens while the client's authorization is not determined.
  package var whenNotDetermined: NotDeterminedPolicy
  /// Whether the stream continues while the client is in the background (`allowsBackgroundLocationUpdates`).
  package var allowsBackground: Bool
  /// Whether the stream pauses while the client is in the background and does not need it
  /// (`pausesLocationUpdatesAutomatically`).
  package var pausesAutomatically: Bool
  /// Whether fixes are the receiver's own (raw) instead of the fused ones, credible or not: a suspect fix counts as any other.
  package var isRaw: Bool
  /// Path of the only receiver whose fixes are delivered; `nil`: any receiver's.
  package var device: String?
  /// Whether the stream can wait for the Wi-Fi position. Internal to the service; no client sends it.
  package var isUnhurried = false

  /// Delivers every fix at once.
  package init(
    desiredRadius68: Meters? = nil, distanceFilter: Meters? = nil, activity: Activity? = nil, rateHertz: Int? = nil,
    waitsForSource: Bool = false, setsReceivers: Bool = true, whenNotDetermined: NotDeterminedPolicy = .asks,
    allowsBackground: Bool = true, pausesAutomatically: Bool = false, sufficientRadius68: Meters? = nil,
    isRaw: Bool = false
  ) {
    self.desiredRadius68 = desiredRadius68
    self.distanceFilter = distanceFilter
    self.activity = activity
    self.rateHertz = rateHertz
    self.waitsForSource = waitsForSource
    self.setsReceivers = setsReceivers
    self.whenNotDetermined = whenNotDetermined
    self.allowsBackground = allowsBackground
    self.pausesAutomatically = pausesAutomatically
    self.sufficientRadius68 = sufficientRadius68
    self.isRaw = isRaw
  }
}

/// How a client moves, in Apple's terms (`CLActivityType`).
package enum Activity: UInt8, Hashable, Sendable, CaseIterable {
  /// Not known.
  case other = 0
  /// In a car, along roads.
  case automotiveNavigation = 1
  /// On foot, running or on a bicycle.
  case fitness = 2
  /// A vehicle other than a car, such as a train.
  case otherNavigation = 3
  /// In the air.
  case airborne = 4
  /// On the water, including at anchor.
  case maritime = 5

  /// The name on the command line.
  package var name: String { "\(self)" }
}

/// What a location request does while the client's authorization is not determined.
package enum NotDeterminedPolicy: UInt8, Hashable, Sendable, CaseIterable {
  /// It fails.
  case fails = 0
  /// It asks for while-in-use, waits if an agent can answer, and fails if none can.
  case asks = 1
  /// It waits silently, and prompts no one.
  case waits = 2
}
