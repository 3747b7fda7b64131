/// What a client asks of the service.
package enum ClientRequest: Hashable, Sendable {
  /// One fix, answered by exactly one `.located` or `.failed`.
  case locate(RequestID, OneShotOptions)
  /// Fixes until `.cancel`, as `.update` events; `.failed` ends them.
  case startUpdates(RequestID, UpdateOptions)
  /// Ends a request of either kind; no event follows for it.
  case cancel(RequestID)
  /// The devices that the service sees, answered by `.devices`.
  case listDevices(RequestID)
  /// Trusts a general serial adapter as a receiver, by its ID or any of its names; answered by `.done` or `.failed`.
  case trustDevice(RequestID, selector: String)
  /// Takes that back; answered by `.done` or `.failed`.
  case forgetDevice(RequestID, selector: String)

  /// The request's own number.
  package var id: RequestID {
    switch self {
    case .locate(let id, _), .startUpdates(let id, _), .cancel(let id), .listDevices(let id), .trustDevice(let id, _),
      .forgetDevice(let id, _):
      id
    }
  }
}
