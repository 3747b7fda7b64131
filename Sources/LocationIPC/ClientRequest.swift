package import Geodesy
package import LocationPolicy

/// A client's request to the service.
package enum ClientRequest: Hashable, Sendable {
  /// One fix, answered by exactly one `.located` or `.failed`.
  case locate(RequestID, OneShotOptions)
  /// Fixes until `.cancel`, as `.update` events; `.failed` ends them.
  case startUpdates(RequestID, UpdateOptions)
  /// The satellites of every receiver until `.cancel`, as `.sky` events, one for each complete epoch, with or without a fix;
  /// `.failed` ends them. `waitsForSource`: with no source at all, wait for one instead of failing at once.
  case watchSky(RequestID, waitsForSource: Bool)
  /// The receivers' output, byte by byte, until `.cancel`, as `.heard` events; the request opens no receiver. `.failed` ends
  /// it.
  case listenIn(RequestID)
  /// Ends a request of any kind; no event follows for it.
  case cancel(RequestID)
  /// The devices that the service has detected, answered by `.devices`.
  case listDevices(RequestID)
  /// Trusts a general serial adapter as a receiver, by its ID or any of its names; answered by `.done` or `.failed`.
  case trustDevice(RequestID, selector: String)
  /// Revokes that trust; answered by `.done` or `.failed`.
  case forgetDevice(RequestID, selector: String)
  /// Takes a receiver from gpsd, or returns it, by its ID or any of its names, from now on; answered by `.done` when complete,
  /// or by `.failed`. The choice is saved even if gpsd does not comply (`.notHandedOver`), and takes effect when it does.
  case setOwner(RequestID, selector: String, owner: DeviceOwner)
  /// The service's activity, and its clients; answered by `.status`.
  case status(RequestID)
  /// A log request; its kind determines the answer, or `.failed`.
  case log(RequestID, LogRequest)
  /// An authorization request; its kind determines the answer, or `.failed`.
  case authorization(RequestID, AuthorizationRequest)
  /// A Wi-Fi request; its kind determines the answer, or `.failed`.
  case wifi(RequestID, WiFiRequest)
  /// A monitoring request; its kind determines the answer, or `.failed`.
  case monitoring(RequestID, MonitoringRequest)

  /// The number of the request.
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

/// A client's number for one of its requests; events carry it back. Unique within one client.
package struct RequestID: Hashable, Sendable {
  package let rawValue: UInt32
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// What a location request does while the client's authorization is not determined.
package enum UndecidedConduct: UInt8, Hashable, Sendable, CaseIterable {
  /// It fails.
  case fails = 0
  /// It asks for while-in-use, waits if an agent can answer, and fails if none can.
  case asks = 1
  /// It waits silently, and prompts no one.
  case waits = 2
}

/// A client's options for one fix.
package struct OneShotOptions: Hashable, Sendable {
  /// Answer as soon as a fix with at most this 68 % radius exists; `nil`: the best that converges.
  package var desiredRadius68: Meters?
  /// What happens if no fix has `desiredRadius68`.
  package var accuracyRule = AccuracyRule.converging
  /// Path of the only receiver whose fixes may answer; `nil`: any receiver's.
  package var device: String?
  /// Greatest time until the answer or the failure.
  package var timeout: Duration
  /// A fix that is at most this old and meets the accuracy answers at once; zero requires a new one.
  package var maximumAge: Duration
  /// On failure, give the last known fix instead, marked as cached.
  package var acceptsLastKnown: Bool
  /// With no source at all, wait for one to appear instead of failing at once.
  package var waitsForSource: Bool
  /// What happens while the client's authorization is not determined.
  package var ifUndecided: UndecidedConduct

  /// The defaults of the command line interface.
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

/// A client's options for a stream of fixes.
package struct UpdateOptions: Hashable, Sendable {
  /// Only fixes with at most this 68 % radius are delivered; `nil`: all.
  package var desiredRadius68: Meters?
  /// Only fixes that are at least this far from the previously delivered one; `nil`: all.
  package var distanceFilter: Meters?
  /// The 68 % radius that suffices for the client, so that sources with this accuracy suffice: it filters nothing
  /// (`desiredAccuracy`); `nil`: the best available.
  package var sufficientRadius68: Meters?
  /// How the client moves; `nil`: unknown.
  package var activity: Activity?
  /// Preferred number of updates per second, 1…25; `nil`: the receiver's own rate.
  package var rateHertz: Int?
  /// Whether the service may configure a receiver for this stream; else it only reads it.
  package var setsReceivers: Bool
  /// With no source at all, wait for one to appear instead of failing at once.
  package var waitsForSource: Bool
  /// What happens while the client's authorization is not determined.
  package var ifUndecided: UndecidedConduct
  /// Whether the stream continues while the client is in the background (`allowsBackgroundLocationUpdates`).
  package var allowsBackground: Bool
  /// Whether the stream pauses while the client is in the background and does not need it
  /// (`pausesLocationUpdatesAutomatically`).
  package var pausesAutomatically: Bool
  /// Whether fixes are the receiver's own (raw) instead of the fused ones.
  package var isRaw: Bool
  /// Path of the only receiver whose fixes are delivered; `nil`: any receiver's.
  package var device: String?
  /// Whether the stream can wait for the Wi-Fi position. Internal to the service; no client sends it.
  package var isUnhurried = false

  /// Delivers every fix at once.
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

  /// As on the command line.
  package var name: String { "\(self)" }
}
