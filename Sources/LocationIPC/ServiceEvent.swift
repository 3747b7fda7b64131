package import Geodesy

/// What the service tells a client.
package enum ServiceEvent: Hashable, Sendable {
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
}

/// A change in what a stream delivers.
package enum StreamChange: Hashable, Sendable {
  /// No valid fix any more; the last one must not be taken for the present.
  case lost
  /// Fixes come again.
  case back
}
