import Geodesy

extension ClientRequest {
  /// The same request under another number.
  func named(_ id: RequestID) -> ClientRequest {
    switch self {
    case .locate(_, let options): .locate(id, options)
    case .startUpdates(_, let options): .startUpdates(id, options)
    case .watchSky(_, let waitsForSource): .watchSky(id, waitsForSource: waitsForSource)
    case .listenIn: .listenIn(id)
    case .cancel: .cancel(id)
    case .listDevices: .listDevices(id)
    case .trustDevice(_, let selector): .trustDevice(id, selector: selector)
    case .forgetDevice(_, let selector): .forgetDevice(id, selector: selector)
    case .setOwner(_, let selector, let owner): .setOwner(id, selector: selector, owner: owner)
    case .status: .status(id)
    case .log(_, let request): .log(id, request)
    case .authorization(_, let request): .authorization(id, request)
    case .wifi(_, let request): .wifi(id, request)
    case .monitoring(_, let request): .monitoring(id, request)
    }
  }

  /// A request for one fix with what is left of its time at `now`.
  func ending(_ deadline: Instant?, at now: Instant) -> ClientRequest {
    guard case .locate(let id, var options) = self, let deadline else { return self }
    options.timeout = max(.zero, deadline - now)
    return .locate(id, options)
  }
}

extension ServiceEvent {
  /// The same event for a request that its client calls by another number.
  func named(_ id: RequestID) -> ServiceEvent {
    switch self {
    case .located(_, let fix, let age, let isCached): .located(id, fix, age: age, isCached: isCached)
    case .failed(_, let failure): .failed(id, failure)
    case .update(_, let fix, let age): .update(id, fix, age: age)
    case .streamChanged(_, let change): .streamChanged(id, change)
    case .sky(_, let report): .sky(id, report)
    case .progress(_, let progress): .progress(id, progress)
    case .devices(_, let devices): .devices(id, devices)
    case .done: .done(id)
    case .status(_, let status): .status(id, status)
    case .log(_, let answer): .log(id, answer)
    case .heard(_, let bytes): .heard(id, bytes)
    case .authorization(_, let answer): .authorization(id, answer)
    case .wifi(_, let answer): .wifi(id, answer)
    case .monitoring(_, let answer): .monitoring(id, answer)
    }
  }
}
