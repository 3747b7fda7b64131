extension CLLocationUpdate {
  /// Updates for as long as they are iterated.
  public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
    Updates(configuration, from: Service.locations)
  }

  /// What `liveUpdates()` gives. Each iteration begins the service, and ends it when its loop is left or its task cancelled.
  public struct Updates: AsyncSequence, Sendable {
    /// What is iterated.
    public typealias Element = CLLocationUpdate
    /// What iterating may throw.
    public typealias Failure = any Error

    private let configuration: LiveConfiguration
    private let source: any LocationStream

    package init(_ configuration: LiveConfiguration, from source: any LocationStream) {
      self.configuration = configuration
      self.source = source
    }

    /// Begins the service.
    public func makeAsyncIterator() -> Iterator {
      Iterator(base: source.updates(for: configuration).makeAsyncIterator())
    }

    /// One iteration; it belongs to one task.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: AsyncThrowingStream<CLLocationUpdate, any Error>.Iterator

      /// The next update, once there is one.
      public mutating func next() async throws -> CLLocationUpdate? { try await base.next(isolation: #isolation) }
    }
  }
}

@available(*, unavailable)
extension CLLocationUpdate.Updates.Iterator: Sendable {}
