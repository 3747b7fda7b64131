package import FleetDestinations
package import Geodesy
package import PlacesCore

/// An event that the service sends to a client. Indirect: a fix is large, and every event is passed on many times.
package indirect enum ServiceEvent: Hashable, Sendable {
  /// The answer to `.locate`. `isCached`: it was computed before the request.
  case located(RequestID, PositionFix, age: Duration, isCached: Bool)
  /// A request has failed and is over.
  case failed(RequestID, LocationFailure)
  /// A fix of a stream.
  case update(RequestID, PositionFix, age: Duration)
  /// A stream has lost its position (`.lost`), has one again (`.back`), or its delivery was stopped or resumed.
  case streamChanged(RequestID, StreamChange)
  /// One receiver's report of its satellites in one epoch.
  case sky(RequestID, SkyReport)
  /// The progress of a request, on every change; only for people to read.
  case progress(RequestID, LocationProgress)
  /// The answer to `.listDevices`.
  case devices(RequestID, [DeviceDescription])
  /// A request without a result of its own has succeeded.
  case done(RequestID)
  /// The answer to `.status`.
  case status(RequestID, ServiceStatus)
  /// The answer to a `.log` request with a result.
  case log(RequestID, LogAnswer)
  /// The receivers' output, as a part of a capture (Hardware/captures.md), whole lines; the first part begins the capture.
  case received(RequestID, [UInt8])
  /// The answer to an `.authorization` request with a result, or one of its events.
  case authorization(RequestID, AuthorizationAnswer)
  /// The answer to a `.wifi` request with a result.
  case wifi(RequestID, WiFiAnswer)
  /// The answer to a `.monitoring` request with a result, or a monitoring event.
  case monitoring(RequestID, MonitoringAnswer)
  /// The answer to a `.fleet` request with a result.
  case fleet(RequestID, FleetAnswer)
  /// The answer to `.places`.
  case places(RequestID, [Place])
  /// Fixes of a stream that were held back (`ClientRequest.deferUpdates`), the oldest first. `age`: that of the newest.
  case batch(RequestID, FixBatch, age: Duration)

  /// The request that it belongs to.
  package var request: RequestID {
    switch self {
    case .located(let id, _, _, _), .failed(let id, _), .update(let id, _, _), .streamChanged(let id, _),
      .sky(let id, _), .progress(let id, _), .devices(let id, _), .done(let id), .status(let id, _), .log(let id, _),
      .received(let id, _), .authorization(let id, _), .wifi(let id, _),
      .monitoring(let id, _), .fleet(let id, _), .places(let id, _),
      .batch(let id, _, _):
      id
    }
  }

  /// Whether no event follows for its request.
  package var isLast: Bool {
    switch self {
    case .located, .failed, .devices, .done, .status, .log, .wifi, .fleet, .places: true
    case .update, .streamChanged, .sky, .progress, .received, .batch: false
    case .authorization(_, let answer): answer.isLast
    case .monitoring(_, let answer): answer.isLast
    }
  }
}

/// A change in what a stream delivers.
package enum StreamChange: UInt8, Hashable, Sendable, CaseIterable {
  /// There is no longer a valid fix; the last one must not be used as the current position.
  case lost = 0
  /// Fixes arrive again.
  case back = 1
  /// Fixes are withheld: the client is in the background, and its updates do not continue there (`BackgroundUpdates`). For a log:
  /// access to locations is not granted at the moment.
  case suspended = 2
  /// Fixes are delivered again.
  case resumed = 3
  /// Fixes are withheld: the client is in the background, and would not benefit from them (Documentation/Behavior.md, "Activity
  /// and automatic pause").
  case paused = 4
  /// The pause is over.
  case unpaused = 5
}

/// What a request is waiting for.
package enum LocationProgress: Hashable, Sendable {
  /// There is no receiver; one that appears will be used.
  case waitingForSource
  /// Another process of this software has the receiver; waiting for it.
  case waitingForPort(path: String)
  /// A receiver is open, and nothing valid was received at this baud rate yet.
  case listening(path: String, baud: Int?)
  /// A receiver sends data and has no fix. Counts are `nil` if the receiver has not reported them.
  case searching(path: String, satellitesInView: Int?, satellitesUsed: Int?)
  /// Fixes arrive, and get better; meters, 68 %.
  case converging(radius68Meters: Double)
}
