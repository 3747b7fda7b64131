/// One element of `CLLocationUpdate.liveUpdates()`: a location, or the reason why there is none.
public struct CLLocationUpdate: Sendable {
  /// The location of the device; `nil` if there is none, which a flag explains.
  public let location: CLLocation?
  private let circumstances: DiagnosticFlags

  package init(location: CLLocation?, _ circumstances: DiagnosticFlags = []) {
    self.location = location
    self.circumstances = circumstances
  }

  /// The older name of `stationary`.
  @available(iOS, introduced: 17.0, deprecated: 18.0, renamed: "stationary")
  public var isStationary: Bool { stationary }
  /// The device does not move: updates resume when it does.
  public var stationary: Bool { circumstances.contains(.stationary) }
  /// The user denied this program access to the location.
  public var authorizationDenied: Bool { circumstances.contains(.authorizationDenied) }
  /// Location services are off.
  public var authorizationDeniedGlobally: Bool { circumstances.contains(.authorizationDeniedGlobally) }
  /// Access is restricted, and the user cannot change that.
  public var authorizationRestricted: Bool { circumstances.contains(.authorizationRestricted) }
  /// The program is not sufficiently in use.
  public var insufficientlyInUse: Bool { circumstances.contains(.insufficientlyInUse) }
  /// The location can no longer be determined.
  public var locationUnavailable: Bool { circumstances.contains(.locationUnavailable) }
  /// Only reduced accuracy is allowed, so that locations are coarse and rare.
  public var accuracyLimited: Bool { circumstances.contains(.accuracyLimited) }
  /// A `CLServiceSession` is required, and there is none.
  public var serviceSessionRequired: Bool { circumstances.contains(.serviceSessionRequired) }
  /// The user is being prompted for authorization.
  public var authorizationRequestInProgress: Bool { circumstances.contains(.authorizationRequestInProgress) }
}

extension CLLocationUpdate {
  /// The kind of movement: a hint.
  public enum LiveConfiguration: Hashable, Sendable {
    /// Not known.
    case `default`
    /// In a car.
    case automotiveNavigation
    /// In a vehicle that is not a car, for example a train.
    case otherNavigation
    /// On foot, running, on a bicycle.
    case fitness
    /// In the air.
    case airborne
    /// On the water, including at anchor.
    case maritime
  }
}

extension CLLocationUpdate {
  /// Returns updates that run while they are iterated.
  public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
    Updates(configuration, from: Service.locations)
  }

  /// The sequence of `liveUpdates()`. Each iteration starts the updates, which end with the loop or when its task is
  /// canceled.
  public struct Updates: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = CLLocationUpdate
    /// The error that the iteration may throw.
    public typealias Failure = any Error

    private let configuration: LiveConfiguration
    private let source: any LocationStream

    package init(_ configuration: LiveConfiguration, from source: any LocationStream) {
      self.configuration = configuration
      self.source = source
    }

    /// Starts the updates.
    public func makeAsyncIterator() -> Iterator {
      Iterator(base: source.updates(for: configuration).makeAsyncIterator())
    }

    /// An iterator; it belongs to one task.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: AsyncThrowingStream<CLLocationUpdate, any Error>.Iterator

      /// Waits for the next update.
      public mutating func next() async throws -> CLLocationUpdate? { try await base.next(isolation: #isolation) }
    }
  }
}

@available(*, unavailable)
extension CLLocationUpdate.Updates.Iterator: Sendable {}

/// A source of live updates.
package protocol LocationStream: Sendable {
  /// Starts the updates, which end with the stream's consumer. Buffering policy: only the newest element is kept.
  func updates(
    for configuration: CLLocationUpdate.LiveConfiguration
  ) -> AsyncThrowingStream<CLLocationUpdate, any Error>
}
