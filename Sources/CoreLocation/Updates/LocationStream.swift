/// Where live updates come from.
package protocol LocationStream: Sendable {
  /// Begins the service, and ends it with the stream's consumer. Names its buffering policy: the newest counts.
  func updates(
    for configuration: CLLocationUpdate.LiveConfiguration
  ) -> AsyncThrowingStream<CLLocationUpdate, any Error>
}
