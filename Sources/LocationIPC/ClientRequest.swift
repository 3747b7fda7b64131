package import Geodesy
package import LocationPolicy

/// What a client asks of the service.
package enum ClientRequest: Hashable, Sendable {
  /// One fix, answered by exactly one `.located` or `.failed`.
  case locate(RequestID, OneShotOptions)
  /// Fixes until `.cancel`, as `.update` events; `.failed` ends them.
  case startUpdates(RequestID, UpdateOptions)
  /// The satellites of every receiver until `.cancel`, as `.sky` events, one a complete epoch, with or without a fix;
  /// `.failed` ends them. `waitsForSource`: with no source at all, wait for one instead of failing at once.
  case watchSky(RequestID, waitsForSource: Bool)
  /// What the receivers say, byte by byte, until `.cancel`, as `.heard` events; it opens none by itself. `.failed` ends it.
  case listenIn(RequestID)
  /// Ends a request of any kind; no event follows for it.
  case cancel(RequestID)
  /// The devices that the service sees, answered by `.devices`.
  case listDevices(RequestID)
  /// Trusts a general serial adapter as a receiver, by its ID or any of its names; answered by `.done` or `.failed`.
  case trustDevice(RequestID, selector: String)
  /// Takes that back; answered by `.done` or `.failed`.
  case forgetDevice(RequestID, selector: String)
  /// Takes a receiver from gpsd, or gives it back, by its ID or any of its names, from now on; answered by `.done`, once it
  /// is done, or by `.failed`. The choice is kept where gpsd does not do its part (`.notHandedOver`), and holds when it does.
  case setOwner(RequestID, selector: String, owner: DeviceOwner)
  /// What the service is doing, and for whom; answered by `.status`.
  case status(RequestID)
  /// Something of the logs; answered as its kind says, or by `.failed`.
  case log(RequestID, LogRequest)
  /// Something of who may know where the machine is; answered as its kind says, or by `.failed`.
  case authorization(RequestID, AuthorizationRequest)
  /// Something of the access points around; answered as its kind says, or by `.failed`.
  case wifi(RequestID, WiFiRequest)
  /// Something of what is monitored; answered as its kind says, or by `.failed`.
  case monitoring(RequestID, MonitoringRequest)

  /// The request's own number.
  package var id: RequestID {
    switch self {
    case .locate(let id, _), .startUpdates(let id, _), .watchSky(let id, _), .listenIn(let id), .cancel(let id),
      .listDevices(let id), .trustDevice(let id, _), .forgetDevice(let id, _), .setOwner(let id, _, _),
      .status(let id), .log(let id, _), .authorization(let id, _), .wifi(let id, _),
      .monitoring(let id, _):
      id
    }
  }
}

/// A client's own name for one of its requests; events carry it back. Unique within one client.
package struct RequestID: Hashable, Sendable {
  package let rawValue: UInt32
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// What a request for locations does where nobody has decided yet whether its client may have any.
package enum UndecidedConduct: Hashable, Sendable, CaseIterable {
  /// It fails.
  case fails
  /// It asks for while-in-use, waits where somebody can answer, and fails where nobody can.
  case asks
  /// It waits without a word, and asks nobody.
  case waits
}

/// What a client wants of one fix.
package struct OneShotOptions: Hashable, Sendable {
  /// Answer as soon as a fix with at most this 68 % radius exists; `nil`: the best that converges.
  package var desiredRadius68: Meters?
  /// What becomes of the request where no fix has `desiredRadius68`.
  package var accuracyRule = AccuracyRule.converging
  /// Path of the receiver whose fixes alone may answer; `nil`: any receiver's.
  package var device: String?
  /// The answer, or the failure, comes at the latest after this.
  package var timeout: Duration
  /// A fix that is at most this old and meets the accuracy is given at once; zero asks for a fresh one.
  package var maximumAge: Duration
  /// On failure, give the last known fix instead, marked as cached.
  package var acceptsLastKnown: Bool
  /// With no source at all, wait for one to appear instead of failing at once.
  package var waitsForSource: Bool
  /// Where nobody has decided yet whether the client may know.
  package var ifUndecided: UndecidedConduct

  /// The defaults of the command line contract.
  package init(
    desiredRadius68: Meters? = nil, timeout: Duration = .seconds(120), maximumAge: Duration = .seconds(2),
    acceptsLastKnown: Bool = false, waitsForSource: Bool = false, ifUndecided: UndecidedConduct = .asks
  ) {
    self.desiredRadius68 = desiredRadius68
    self.timeout = timeout
    self.maximumAge = maximumAge
    self.acceptsLastKnown = acceptsLastKnown
    self.waitsForSource = waitsForSource
    self.ifUndecided = ifUndecided
  }
}

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

/// How a client moves, in Apple's terms (`CLActivityType`).
package enum Activity: String, Hashable, Sendable, CaseIterable {
  /// Not known.
  case other
  /// In a car, along roads.
  case automotiveNavigation
  /// On foot, running or on a bicycle.
  case fitness
  /// A vehicle that is no car, such as a train.
  case otherNavigation
  /// In the air.
  case airborne
  /// On the water, including at anchor.
  case maritime
}
