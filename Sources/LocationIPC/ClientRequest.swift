package import FleetDestinations
package import Geodesy
package import LocationPolicy

/// A client's request to the service.
package enum ClientRequest: Hashable, Sendable {
  /// One fix, answered by exactly one `.located` or `.failed`.
  case locate(RequestID, OneShotOptions)
  /// Fixes until `.cancel`, as `.update` events; `.failed` ends them.
  case startUpdates(RequestID, UpdateOptions)
  /// The satellites of every receiver until `.cancel`, as `.sky` events, one for each complete epoch, with or without a fix;
  /// `.failed` ends them. `waitsForSource`: with no source at all, wait for one instead of failing after some seconds.
  case watchSky(RequestID, waitsForSource: Bool)
  /// The receivers' output, byte by byte, until `.cancel`, as `.received` events; the request opens no receiver. `.failed`
  /// ends it.
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
  /// A request about the time for clocks; answered by `.done` or `.failed`.
  case time(RequestID, TimeRequest)
  /// A request about destinations to which positions are sent; its kind determines the answer, or `.failed`.
  case fleet(RequestID, FleetRequest)
  /// A query for the server of places; answered by `.places` or `.failed`.
  case places(RequestID, PlacesRequest)
  /// Defers the updates of the client's stream with the number `of` while the client is in the background: they arrive together, as
  /// `.batch` events of the stream. Answered once: by `.done` when the distance or the time is reached, or by `.failed`, always after
  /// what was held. To cancel it ends the deferral; what is held is delivered.
  case deferUpdates(RequestID, of: RequestID, DeferralLimits)

  /// The number of the request.
  package var id: RequestID {
    switch self {
    case .locate(let id, _), .startUpdates(let id, _), .watchSky(let id, _), .listenIn(let id), .cancel(let id),
      .listDevices(let id), .trustDevice(let id, _), .forgetDevice(let id, _), .setOwner(let id, _, _),
      .status(let id), .log(let id, _), .authorization(let id, _), .wifi(let id, _),
      .monitoring(let id, _), .time(let id, _), .fleet(let id, _), .places(let id, _),
      .deferUpdates(let id, _, _):
      id
    }
  }

  /// Whether it continues until it is cancelled.
  package var isStream: Bool {
    switch self {
    case .startUpdates, .watchSky, .listenIn: true
    case .authorization(_, let request): request.isStream
    case .monitoring(_, let request): request.isStream
    case .locate, .cancel, .listDevices, .trustDevice, .forgetDevice, .setOwner, .status, .log, .wifi, .time, .fleet,
      .places, .deferUpdates:
      false
    }
  }

  /// A request for one fix with the time that is left at `now` until `deadline`; any other request as it is.
  package func remaining(until deadline: Instant?, at now: Instant) -> ClientRequest {
    guard case .locate(let id, var options) = self, let deadline else { return self }
    options.timeout = max(.zero, deadline - now)
    return .locate(id, options)
  }
}

/// A client's number for one of its requests; events carry it back. Unique within one client.
package struct RequestID: Hashable, Sendable {
  package let rawValue: UInt32
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
