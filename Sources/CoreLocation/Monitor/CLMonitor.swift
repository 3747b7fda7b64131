public import CCoreLocation
public import Foundation

/// Monitors conditions and reports when they become satisfied or unsatisfied. The conditions are stored under the
/// monitor's name: the next monitor of that name, in this run of the program or a later one, continues with them and
/// reports the changes in between.
public actor CLMonitor {
  /// The events, as they happen.
  public final let events: Events

  private let name: String
  private let feed: MonitorFeed

  /// Creates the monitor of that name. Only one monitor of a name may exist at a time: creating a second one is a
  /// programming error and ends the program.
  public init(_ name: String) async {
    guard MonitorNames.shared.reserve(name) else {
      let words = "Monitor named \(name) is already in use"
      // An optimized build omits a precondition's message.
      try? FileHandle.standardError.write(contentsOf: Data("CoreLocation: \(words)\n".utf8))
      preconditionFailure(words)
    }
    self.name = name
    feed = MonitorFeed(name: name)
    events = Events(stream: feed.events)
    await feed.begin()
  }

  deinit {
    feed.end()
    MonitorNames.shared.release(name)
  }

  /// The names of the monitored conditions, in the order in which they were added.
  public var identifiers: [String] { feed.identifiers }

  /// Starts to monitor a condition, which replaces one of the same name.
  public func add(_ condition: any CLCondition, identifier: String) {
    add(condition, identifier: identifier, assuming: .unknown)
  }

  /// Starts to monitor a condition with an assumed state: the first event reports a state that differs from it.
  public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State) {
    feed.add(condition, identifier, assuming: state)
  }

  /// Stops monitoring a condition; unknown names are ignored.
  public func remove(_ identifier: String) { feed.remove(identifier) }

  /// A condition and its last event; `nil` if there is no condition of that name.
  public func record(for identifier: String) -> Record? { feed.record(for: identifier) }
}

extension CLMonitor {
  /// A change of a condition's state, or the reason why its state is not known.
  public struct Event: Sendable {
    /// The state of a condition.
    public typealias State = __CLMonitoringState

    /// The condition's name.
    public let identifier: String
    /// The most specific condition that this event is about: if any of several beacons satisfies the condition, that
    /// beacon. Always `nil` as long as beacons cannot be monitored.
    public let refinement: (any CLCondition)?
    /// The state of the condition.
    public let state: State
    /// When the state changed; if that is not known, when the change was reported.
    public let date: Date
    private let circumstances: DiagnosticFlags

    init(
      identifier: String, state: State, date: Date, refinement: (any CLCondition)? = nil,
      _ circumstances: DiagnosticFlags = []
    ) {
      self.identifier = identifier
      self.refinement = refinement
      self.state = state
      self.date = date
      self.circumstances = circumstances
    }

    /// The user denied this program access to the location.
    public var authorizationDenied: Bool { circumstances.contains(.authorizationDenied) }
    /// Location services are off.
    public var authorizationDeniedGlobally: Bool { circumstances.contains(.authorizationDeniedGlobally) }
    /// Access is restricted, and the user cannot change that.
    public var authorizationRestricted: Bool { circumstances.contains(.authorizationRestricted) }
    /// The program is not sufficiently in use.
    public var insufficientlyInUse: Bool { circumstances.contains(.insufficientlyInUse) }
    /// Only reduced accuracy is allowed.
    public var accuracyLimited: Bool { circumstances.contains(.accuracyLimited) }
    /// Conditions of this kind cannot be monitored.
    public var conditionUnsupported: Bool { circumstances.contains(.conditionUnsupported) }
    /// Too many other conditions are monitored.
    public var conditionLimitExceeded: Bool { circumstances.contains(.conditionLimitExceeded) }
    /// The condition could not be stored, and is not monitored.
    public var persistenceUnavailable: Bool { circumstances.contains(.persistenceUnavailable) }
    /// A `CLServiceSession` is required, and there is none.
    public var serviceSessionRequired: Bool { circumstances.contains(.serviceSessionRequired) }
    /// The user is being prompted for authorization.
    public var authorizationRequestInProgress: Bool { circumstances.contains(.authorizationRequestInProgress) }
  }
}

extension CLMonitor {
  /// A monitor's events as they occur. Use only one loop: a second loop receives the events that the first does not,
  /// and after the cancellation of a loop's task there are no further events.
  public struct Events: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = Event
    /// The error that the iteration may throw.
    public typealias Failure = any Error

    let stream: AsyncStream<MonitorDelivery>

    /// Creates an iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    /// An iterator over the sequence.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: AsyncStream<MonitorDelivery>.Iterator
      /// The event that the loop is handling.
      private var current: MonitorDelivery?

      fileprivate init(base: AsyncStream<MonitorDelivery>.Iterator) { self.base = base }

      /// Waits for the next event. The previous event then counts as handled, and the record of its condition is updated.
      public mutating func next() async throws -> Event? {
        current = nil
        current = await base.next(isolation: #isolation)
        current?.take()
        return current?.event
      }
    }
  }
}

extension CLMonitor {
  /// A condition and its last event.
  public struct Record: Sendable {
    /// The last event; before the first one, an event of state `unknown`, or of the assumed state.
    public let lastEvent: Event
    /// The monitored condition.
    public let condition: any CLCondition
  }
}

/// A condition that a `CLMonitor` can monitor.
public protocol CLCondition: Decodable, Encodable, Sendable {}

extension CLMonitor {
  /// Satisfied while the device is within a circle.
  public struct CircularGeographicCondition: CLCondition {
    /// The center of the circle, degrees.
    public let center: CLLocationCoordinate2D
    /// Meters.
    public let radius: CLLocationDistance

    /// Creates the condition of being within `radius` meters of `center`.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
      self.center = center
      self.radius = radius
    }

    private enum CodingKeys: CodingKey { case latitude, longitude, radius }

    /// Decodes the condition.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      center = CLLocationCoordinate2D(
        latitude: try values.decode(Double.self, forKey: .latitude),
        longitude: try values.decode(Double.self, forKey: .longitude))
      radius = try values.decode(Double.self, forKey: .radius)
    }

    /// Encodes the condition.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(center.latitude, forKey: .latitude)
      try values.encode(center.longitude, forKey: .longitude)
      try values.encode(radius, forKey: .radius)
    }
  }
}

extension CLMonitor {
  /// Satisfied while a beacon, or one of several, is near.
  public struct BeaconIdentityCondition: CLCondition {
    /// The UUID that the beacons have in common.
    public let uuid: UUID
    /// The major number that the beacons have in common; `nil`: any.
    public let major: CLBeaconMajorValue?
    /// The minor number that the beacons have in common; `nil`: any.
    public let minor: CLBeaconMinorValue?

    /// Any beacon of a UUID.
    public init(uuid: UUID) { (self.uuid, major, minor) = (uuid, nil, nil) }

    /// Any beacon of a UUID and major number.
    public init(uuid: UUID, major: CLBeaconMajorValue) { (self.uuid, self.major, minor) = (uuid, major, nil) }

    /// One beacon.
    public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
      (self.uuid, self.major, self.minor) = (uuid, major, minor)
    }
  }
}
