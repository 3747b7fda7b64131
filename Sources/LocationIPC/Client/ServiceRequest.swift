package import Geodesy
package import LocationPolicy

/// A request to the service, with the type of what the service sends for it: the events of a subscription, or the one reply.
///
/// Whoever sends requests through a registry receives these types, and never an answer to another kind of request.
package struct ServiceRequest<Event: RequestEvent>: Sendable {
  private let make: @Sendable (RequestID) -> ClientRequest
  private let read: @Sendable (ServiceEvent) -> Event?

  private init(
    _ make: @escaping @Sendable (RequestID) -> ClientRequest, read: @escaping @Sendable (ServiceEvent) -> Event?
  ) {
    self.make = make
    self.read = read
  }

  /// The request as it is sent under the number `id`.
  package func message(_ id: RequestID) -> ClientRequest { make(id) }

  /// What the service has sent, in the request's own type. An answer to another kind of request ends the request with a failure:
  /// no other answer follows. `nil`: an event that says nothing about this kind of request.
  package func event(_ message: ServiceEvent) -> Event? {
    if let event = read(message) { return event }
    return message.isLast ? .failed(.serviceUnreadable(reason: "it answered another request")) : nil
  }
}

/// What a service sends for a request.
package protocol RequestEvent: Hashable, Sendable {
  /// The request has failed and is over.
  static func failed(_ failure: LocationFailure) -> Self
}

/// The one answer to a request. `nil`: it succeeded without a result.
package typealias Reply<Value: Hashable & Sendable> = Result<Value, LocationFailure>

extension Result: RequestEvent where Success: Hashable & Sendable, Failure == LocationFailure {
  package static func failed(_ failure: LocationFailure) -> Self { .failure(failure) }
}

/// The events of a request for one fix.
package enum LocateEvent: RequestEvent {
  /// The answer. `isCached`: it was computed before the request.
  case located(PositionFix, age: Duration, isCached: Bool)
  case progress(LocationProgress)
  case failed(LocationFailure)

  package init?(_ message: ServiceEvent) {
    if case .located(_, let fix, let age, let isCached) = message {
      self = .located(fix, age: age, isCached: isCached)
    } else if case .progress(_, let progress) = message {
      self = .progress(progress)
    } else if case .failed(_, let failure) = message {
      self = .failed(failure)
    } else {
      return nil
    }
  }

  /// The event as it is sent for the request with the number `id`.
  package func message(_ id: RequestID) -> ServiceEvent {
    switch self {
    case .located(let fix, let age, let isCached): .located(id, fix, age: age, isCached: isCached)
    case .progress(let progress): .progress(id, progress)
    case .failed(let failure): .failed(id, failure)
    }
  }
}

/// The events of a stream of fixes.
package enum UpdateEvent: RequestEvent {
  case fix(PositionFix, age: Duration)
  case changed(StreamChange)
  case progress(LocationProgress)
  case failed(LocationFailure)

  package init?(_ message: ServiceEvent) {
    if case .update(_, let fix, let age) = message {
      self = .fix(fix, age: age)
    } else if case .streamChanged(_, let change) = message {
      self = .changed(change)
    } else if case .progress(_, let progress) = message {
      self = .progress(progress)
    } else if case .failed(_, let failure) = message {
      self = .failed(failure)
    } else {
      return nil
    }
  }
}

/// The events of a satellite stream.
package enum SkyEvent: RequestEvent {
  case report(SkyReport)
  case progress(LocationProgress)
  case failed(LocationFailure)

  package init?(_ message: ServiceEvent) {
    if case .sky(_, let report) = message {
      self = .report(report)
    } else if case .progress(_, let progress) = message {
      self = .progress(progress)
    } else if case .failed(_, let failure) = message {
      self = .failed(failure)
    } else {
      return nil
    }
  }
}

/// The events of a request for the receivers' output.
package enum CaptureEvent: RequestEvent {
  /// Whole lines of a capture; the first part begins it.
  case lines([UInt8])
  case failed(LocationFailure)

  package init?(_ message: ServiceEvent) {
    if case .heard(_, let lines) = message {
      self = .lines(lines)
    } else if case .failed(_, let failure) = message {
      self = .failed(failure)
    } else {
      return nil
    }
  }
}

extension ServiceRequest where Event == LocateEvent {
  package static func locate(_ options: OneShotOptions) -> Self {
    Self({ .locate($0, options) }, read: { LocateEvent($0) })
  }
}

extension ServiceRequest where Event == UpdateEvent {
  package static func updates(_ options: UpdateOptions) -> Self {
    Self({ .startUpdates($0, options) }, read: { UpdateEvent($0) })
  }
}

extension ServiceRequest where Event == SkyEvent {
  package static func sky(waitsForSource: Bool) -> Self {
    Self({ .watchSky($0, waitsForSource: waitsForSource) }, read: { SkyEvent($0) })
  }
}

extension ServiceRequest where Event == CaptureEvent {
  package static var capture: Self { Self({ .listenIn($0) }, read: { CaptureEvent($0) }) }
}

// MARK: - Requests with one reply, or with the replies of a kind

extension ServiceRequest {
  /// A request whose answers are read by `value`, or whose success has no result (`.done`).
  fileprivate init<Value>(
    _ make: @escaping @Sendable (RequestID) -> ClientRequest, replyOrDone value: @escaping @Sendable (ServiceEvent) -> Value?
  ) where Event == Reply<Value?> {
    self.init(make) { message in
      if case .done = message { return .success(nil) }
      if case .failed(_, let failure) = message { return .failure(failure) }
      return value(message).map { .success($0) }
    }
  }

  /// A request whose answer is read by `value`.
  fileprivate init<Value>(
    _ make: @escaping @Sendable (RequestID) -> ClientRequest, reply value: @escaping @Sendable (ServiceEvent) -> Value?
  ) where Event == Reply<Value> {
    self.init(make) { message in
      if case .failed(_, let failure) = message { return .failure(failure) }
      return value(message).map { .success($0) }
    }
  }
}

extension ServiceRequest where Event == Reply<[DeviceDescription]> {
  package static var devices: Self {
    Self({ .listDevices($0) }, reply: { if case .devices(_, let devices) = $0 { devices } else { nil } })
  }
}

extension ServiceRequest where Event == Reply<ServiceStatus> {
  package static var status: Self {
    Self({ .status($0) }, reply: { if case .status(_, let status) = $0 { status } else { nil } })
  }
}

extension ServiceRequest where Event == Reply<LogAnswer?> {
  package static func log(_ request: LogRequest) -> Self {
    Self({ .log($0, request) }, replyOrDone: { if case .log(_, let answer) = $0 { answer } else { nil } })
  }
}

extension ServiceRequest where Event == Reply<AuthorizationAnswer?> {
  package static func authorization(_ request: AuthorizationRequest) -> Self {
    Self(
      { .authorization($0, request) },
      replyOrDone: { if case .authorization(_, let answer) = $0 { answer } else { nil } })
  }
}

extension ServiceRequest where Event == Reply<WiFiAnswer?> {
  package static func wifi(_ request: WiFiRequest) -> Self {
    Self({ .wifi($0, request) }, replyOrDone: { if case .wifi(_, let answer) = $0 { answer } else { nil } })
  }
}

extension ServiceRequest where Event == Reply<MonitoringAnswer?> {
  package static func monitoring(_ request: MonitoringRequest) -> Self {
    Self(
      { .monitoring($0, request) }, replyOrDone: { if case .monitoring(_, let answer) = $0 { answer } else { nil } })
  }
}
