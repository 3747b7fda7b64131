/// Where live updates come from.
package protocol LocationStream: Sendable {
  /// Begins the service, and ends it with the stream's consumer. Names its buffering policy: the newest counts.
  func updates(
    for configuration: CLLocationUpdate.LiveConfiguration
  ) -> AsyncThrowingStream<CLLocationUpdate, any Error>
}

/// From nowhere: it says so and ends, so that nobody waits for a location that cannot come.
struct UnservedLocationStream: LocationStream {
  func updates(
    for configuration: CLLocationUpdate.LiveConfiguration
  ) -> AsyncThrowingStream<CLLocationUpdate, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      continuation.yield(CLLocationUpdate(location: nil, .locationUnavailable))
      continuation.finish(throwing: CLError(.locationUnknown))
    }
  }
}
