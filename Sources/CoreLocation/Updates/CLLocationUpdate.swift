/// One element of `CLLocationUpdate.liveUpdates()`: a location, or why there is none.
public struct CLLocationUpdate: Sendable {
  /// Where the device is; `nil` or the last known while a flag says that updates do not come.
  public let location: CLLocation?
  private let circumstances: Circumstances

  package init(location: CLLocation?, _ circumstances: Circumstances = []) {
    self.location = location
    self.circumstances = circumstances
  }

  /// The older name of `stationary`.
  @available(iOS, introduced: 17.0, deprecated: 18.0, renamed: "stationary")
  public var isStationary: Bool { stationary }
  /// The device does not move: updates go on when it does.
  public var stationary: Bool { circumstances.contains(.stationary) }
  /// The person denied this program the location.
  public var authorizationDenied: Bool { circumstances.contains(.authorizationDenied) }
  /// Location services are off.
  public var authorizationDeniedGlobally: Bool { circumstances.contains(.authorizationDeniedGlobally) }
  /// Not allowed, and the person cannot change that.
  public var authorizationRestricted: Bool { circumstances.contains(.authorizationRestricted) }
  /// The program is not sufficiently in use.
  public var insufficientlyInUse: Bool { circumstances.contains(.insufficientlyInUse) }
  /// The location can no longer be determined.
  public var locationUnavailable: Bool { circumstances.contains(.locationUnavailable) }
  /// Only reduced accuracy is allowed, so that further updates pause.
  public var accuracyLimited: Bool { circumstances.contains(.accuracyLimited) }
  /// A `CLServiceSession` is required, and there is none.
  public var serviceSessionRequired: Bool { circumstances.contains(.serviceSessionRequired) }
  /// The person is being asked.
  public var authorizationRequestInProgress: Bool { circumstances.contains(.authorizationRequestInProgress) }
}

extension CLLocationUpdate {
  /// How the device moves: a hint.
  public enum LiveConfiguration: Hashable, Sendable {
    /// Not known.
    case `default`
    /// In a car.
    case automotiveNavigation
    /// A vehicle that is no car: such as a train.
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

/// Where live updates come from.
package protocol LocationStream: Sendable {
  /// Begins the service, and ends it with the stream's consumer. Names its buffering policy: the newest counts.
  func updates(
    for configuration: CLLocationUpdate.LiveConfiguration
  ) -> AsyncThrowingStream<CLLocationUpdate, any Error>
}
