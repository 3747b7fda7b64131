#if Places
  import LocationIPC
  import PlacesCore
  import Synchronization

  /// Asks the server of places that the administrator has configured, through locationd, which checks this program's access and asks the
  /// server. Without a daemon, without access or without such a server there is no answer.
  final class ProviderGeocoding: Sendable {
    /// How long no daemon is looked for after there was none.
    private static let pause: Duration = .seconds(10)
    private static let searchedAt = Mutex<ContinuousClock.Instant?>(nil)

    private struct State {
      var continuation: CheckedContinuation<[Place]?, Never>?
      var connection: ServiceConnection?
    }

    private let state = Mutex(State())

    private init() {}

    /// The places that the server knows, the best first; `nil` without an answer.
    static func places(_ request: PlacesRequest) async -> [Place]? {
      let isPausing = searchedAt.withLock { $0.map { ContinuousClock.now - $0 < pause } ?? false }
      guard !isPausing else { return nil }
      let query = ProviderGeocoding()
      return await withTaskCancellationHandler {
        await withCheckedContinuation { query.begin(request, $0) }
      } onCancel: {
        query.end(nil)
      }
    }

    private func begin(_ request: PlacesRequest, _ continuation: CheckedContinuation<[Place]?, Never>) {
      state.withLock { $0.continuation = continuation }
      let connection = LocationService.shared.connect { [self] in end(nil) }
      state.withLock { if $0.continuation != nil { $0.connection = connection } }
      let isSent = connection.sendIfServed(.places(request), as: LocationService.shared.numbers.next()) {
        [self] event in
        switch event {
        case .reply(let places): end(places)
        case .failed: end(nil)
        case .progress: break
        }
      }
      Self.searchedAt.withLock { $0 = isSent ? nil : ContinuousClock.now }
      if !isSent { end(nil) }
    }

    /// Ends the query, once.
    private func end(_ places: [Place]?) {
      let ended = state.withLock { state in
        defer { state = State() }
        return state
      }
      ended.continuation?.resume(returning: places)
    }
  }
#endif
