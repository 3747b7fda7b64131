public import CCoreLocation
public import Foundation

/// Watches conditions and tells when they come to hold or cease to. What it watches is kept under its name: the next monitor of that
/// name, in this run of the program or a later one, goes on with it and tells what was missed.
public actor CLMonitor {
  /// What happens, as it happens.
  public final let events: Events

  private let name: String
  private let feed: MonitorFeed

  /// The monitor of a name. There is one at a time: a second one while the first lives is the program's error and ends it.
  public init(_ name: String) async {
    guard MonitorNames.shared.take(name) else {
      let words = "Monitor named \(name) is already in use"
      // An optimised build leaves a precondition's message out.
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
    MonitorNames.shared.giveBack(name)
  }

  /// The names of what is watched, in the order in which it was added.
  public var identifiers: [String] { feed.identifiers }

  /// Watches a condition; one of the same name is replaced.
  public func add(_ condition: any CLCondition, identifier: String) {
    add(condition, identifier: identifier, assuming: .unknown)
  }

  /// Watches a condition and takes a state for granted: the first event comes when another one is found.
  public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State) {
    feed.add(condition, identifier, assuming: state)
  }

  /// Ceases to watch; unknown names are ignored.
  public func remove(_ identifier: String) { feed.remove(identifier) }

  /// A condition and what was last told of it; `nil` where no such is watched.
  public func record(for identifier: String) -> Record? { feed.record(for: identifier) }
}

extension CLMonitor {
  /// A change of a condition's state, or why its state is not known.
  public struct Event: Sendable {
    /// Whether the condition holds.
    public typealias State = __CLMonitoringState

    /// The condition's name.
    public let identifier: String
    /// The most specific condition that this is about: the very beacon, where any of several was watched for.
    public let refinement: (any CLCondition)?
    /// Whether the condition holds.
    public let state: State
    /// When it was noticed.
    public let date: Date
    private let circumstances: Circumstances

    init(
      identifier: String, state: State, date: Date, refinement: (any CLCondition)? = nil,
      _ circumstances: Circumstances = []
    ) {
      self.identifier = identifier
      self.refinement = refinement
      self.state = state
      self.date = date
      self.circumstances = circumstances
    }

    /// The person denied this program the location.
    public var authorizationDenied: Bool { circumstances.contains(.authorizationDenied) }
    /// Location services are off.
    public var authorizationDeniedGlobally: Bool { circumstances.contains(.authorizationDeniedGlobally) }
    /// Not allowed, and the person cannot change that.
    public var authorizationRestricted: Bool { circumstances.contains(.authorizationRestricted) }
    /// The program is not sufficiently in use.
    public var insufficientlyInUse: Bool { circumstances.contains(.insufficientlyInUse) }
    /// Only reduced accuracy is allowed.
    public var accuracyLimited: Bool { circumstances.contains(.accuracyLimited) }
    /// Conditions of this kind cannot be monitored.
    public var conditionUnsupported: Bool { circumstances.contains(.conditionUnsupported) }
    /// Too many other conditions are monitored.
    public var conditionLimitExceeded: Bool { circumstances.contains(.conditionLimitExceeded) }
    /// The condition could not be stored, and may not outlive the program.
    public var persistenceUnavailable: Bool { circumstances.contains(.persistenceUnavailable) }
    /// A `CLServiceSession` is required, and there is none.
    public var serviceSessionRequired: Bool { circumstances.contains(.serviceSessionRequired) }
    /// The person is being asked.
    public var authorizationRequestInProgress: Bool { circumstances.contains(.authorizationRequestInProgress) }
  }
}

extension CLMonitor {
  /// A monitor's events as they come. For one loop: a second one gets those that the first does not, and after a loop's task was
  /// cancelled there are none any more.
  public struct Events: AsyncSequence, Sendable {
    /// What is iterated.
    public typealias Element = Event
    /// What iterating may throw.
    public typealias Failure = any Error

    let stream: AsyncStream<MonitorDelivery>

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    /// One iteration.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: AsyncStream<MonitorDelivery>.Iterator
      /// What the loop is at.
      private var current: MonitorDelivery?

      fileprivate init(base: AsyncStream<MonitorDelivery>.Iterator) { self.base = base }

      /// The next event, once there is one. The one before has been handled then, and its record follows it.
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
  /// A condition and what was last told of it.
  public struct Record: Sendable {
    /// The last event; of state `unknown`, or what was assumed, until there was one.
    public let lastEvent: Event
    /// What is watched.
    public let condition: any CLCondition
  }
}

/// What a `CLMonitor` watches.
public protocol CLCondition: Decodable, Encodable, Sendable {}

extension CLMonitor {
  /// The device is within a circle.
  public struct CircularGeographicCondition: CLCondition {
    /// The middle, degrees.
    public let center: CLLocationCoordinate2D
    /// Metres.
    public let radius: CLLocationDistance

    /// Within `radius` metres of `center`.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
      self.center = center
      self.radius = radius
    }

    private enum CodingKeys: CodingKey { case latitude, longitude, radius }

    /// Reads it.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      center = CLLocationCoordinate2D(
        latitude: try values.decode(Double.self, forKey: .latitude),
        longitude: try values.decode(Double.self, forKey: .longitude))
      radius = try values.decode(Double.self, forKey: .radius)
    }

    /// Writes it.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(center.latitude, forKey: .latitude)
      try values.encode(center.longitude, forKey: .longitude)
      try values.encode(radius, forKey: .radius)
    }
  }
}

extension CLMonitor {
  /// A beacon, or one of several, is near.
  public struct BeaconIdentityCondition: CLCondition {
    /// The UUID that the beacons have in common.
    public let uuid: UUID
    /// The major number that they have in common; `nil`: any.
    public let major: CLBeaconMajorValue?
    /// The minor number; `nil`: any.
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
