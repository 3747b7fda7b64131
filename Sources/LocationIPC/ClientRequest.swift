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
