import CoreLocation
import Testing

@Suite struct LiveUpdateTests {
  /// Reports its configuration through the first location's latitude, then what prevents further locations.
  private struct Recorded: LocationStream {
    func updates(
      for configuration: CLLocationUpdate.LiveConfiguration
    ) -> AsyncThrowingStream<CLLocationUpdate, any Error> {
      AsyncThrowingStream(bufferingPolicy: .unbounded) { continuation in
        let latitude: Double = configuration == .airborne ? 1 : 2
        continuation.yield(CLLocationUpdate(location: CLLocation(latitude: latitude, longitude: 0)))
        continuation.yield(CLLocationUpdate(location: nil, [.stationary, .accuracyLimited]))
        continuation.finish()
      }
    }
  }

  @Test func deliversWhatItsSourceSays() async throws {
    var updates: [CLLocationUpdate] = []
    for try await update in CLLocationUpdate.Updates(.airborne, from: Recorded()) { updates.append(update) }
    #expect(updates.map { $0.location?.coordinate.latitude } == [1, nil])
    #expect(updates.map(\.stationary) == [false, true])
    #expect(updates.map(\.isStationary) == [false, true])
    #expect(updates.map(\.accuracyLimited) == [false, true])
  }

  @Test func eachIterationStartsOver() async throws {
    let updates = CLLocationUpdate.Updates(.default, from: Recorded())
    for _ in 1...2 {
      let first = try await updates.first { _ in true }
      #expect(first?.location?.coordinate.latitude == 2)
    }
  }

  @Test func eachFlagIsItsOwn() {
    let flags: [(DiagnosticFlags, KeyPath<CLLocationUpdate, Bool>)] = [
      (.stationary, \.stationary), (.authorizationDenied, \.authorizationDenied),
      (.authorizationDeniedGlobally, \.authorizationDeniedGlobally),
      (.authorizationRestricted, \.authorizationRestricted), (.insufficientlyInUse, \.insufficientlyInUse),
      (.locationUnavailable, \.locationUnavailable), (.accuracyLimited, \.accuracyLimited),
      (.serviceSessionRequired, \.serviceSessionRequired),
      (.authorizationRequestInProgress, \.authorizationRequestInProgress),
    ]
    for (index, (circumstance, _)) in flags.enumerated() {
      let update = CLLocationUpdate(location: nil, circumstance)
      #expect(flags.map { update[keyPath: $0.1] } == flags.indices.map { $0 == index })
    }
  }

  @Test func theSequenceCrossesTasks() async throws {
    let updates = CLLocationUpdate.Updates(.airborne, from: Recorded())
    let latitude = try await Task.detached {
      try await updates.first { _ in true }?.location?.coordinate.latitude
    }.value
    #expect(latitude == 1)
  }
}
