package import Geodesy

/// What the service tells a client. Indirect: a fix is large, and every event is handed on many times.
package indirect enum ServiceEvent: Hashable, Sendable {
  /// The answer to `.locate`. `isCached`: it was computed before the request.
  case located(RequestID, PositionFix, age: Duration, isCached: Bool)
  /// A request has failed and is over.
  case failed(RequestID, LocationFailure)
  /// One fix of a stream.
  case update(RequestID, PositionFix, age: Duration)
  /// A stream has no position any more (`.lost`) or again (`.back`).
  case streamChanged(RequestID, StreamChange)
  /// What one receiver said of its satellites in one epoch.
  case sky(RequestID, SkyReport)
  /// How a request is coming along, whenever it changes; only for people to read.
  case progress(RequestID, LocationProgress)
  /// The answer to `.listDevices`.
  case devices(RequestID, [DeviceDescription])
  /// A request without a result of its own was carried out.
  case done(RequestID)
  /// The answer to `.status`.
  case status(RequestID, ServiceStatus)
  /// The answer to a `.log` that asks for something.
  case log(RequestID, LogAnswer)
  /// What the receivers say, as a part of a capture (Hardware/captures.md), whole lines; the first one begins it.
  case heard(RequestID, [UInt8])
  /// Something of who may know where the machine is.
  case authorization(RequestID, AuthorizationAnswer)
  /// The answer to a `.wifi` that asks for something.
  case wifi(RequestID, WiFiAnswer)
  /// The answer to a `.monitoring` that asks for something, or something that has happened.
  case monitoring(RequestID, MonitoringAnswer)

  /// The request that it belongs to.
  package var request: RequestID {
    switch self {
    case .located(let id, _, _, _), .failed(let id, _), .update(let id, _, _), .streamChanged(let id, _),
      .sky(let id, _), .progress(let id, _), .devices(let id, _), .done(let id), .status(let id, _), .log(let id, _),
      .heard(let id, _), .authorization(let id, _), .wifi(let id, _),
      .monitoring(let id, _):
      id
    }
  }

  /// Whether nothing follows for its request.
  package var isLast: Bool {
    switch self {
    case .located, .failed, .devices, .done, .status, .log, .wifi: true
    case .update, .streamChanged, .sky, .progress, .heard: false
    case .authorization(_, let answer): answer.isLast
    case .monitoring(_, let answer): answer.isLast
    }
  }
}

/// A change in what a stream delivers.
package enum StreamChange: Hashable, Sendable, CaseIterable {
  /// No valid fix any more; the last one must not be taken for the present.
  case lost
  /// Fixes come again.
  case back
  /// No more are told for now: the client is in the background, and is authorized only while in use.
  case suspended
  /// They are told again.
  case resumed
  /// No more are told for now: the client is in the background, and they would serve nobody (Documentation/Behavior.md, "Activity
  /// and automatic pause").
  case paused
  /// The pause is over.
  case unpaused
}

/// What a request is waiting for.
package enum LocationProgress: Hashable, Sendable {
  /// No receiver is there; one that appears will be used.
  case waitingForSource
  /// Another process of ours has the receiver; waiting for it.
  case waitingForPort(path: String)
  /// A receiver is open and nothing valid was heard at this speed yet.
  case listening(path: String, baud: Int?)
  /// A receiver talks and has no fix. Counts are `nil` where it has not told.
  case searching(path: String, satellitesInView: Int?, satellitesUsed: Int?)
  /// Fixes come, and get better; metres, 68 %.
  case converging(radius68Meters: Double)
}
