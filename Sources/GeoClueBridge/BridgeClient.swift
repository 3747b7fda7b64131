import BusMessages
import Geodesy

/// One client object: what its owner has set, and what it has been told.
struct BridgeClient: Sendable {
  enum State: Hashable, Sendable {
    case idle
    /// The service is asked for the owner's authorization; then the call is answered. `nil`: it goes on after it was held.
    case starting(CallNumber?, until: Instant, hasAsked: Bool)
    case active
    /// Its owner's agent allows nothing at present.
    case held
  }

  /// The maximum length of a desktop ID, bytes: that of a file's name.
  static let longestDesktopID = 255
  /// How long a location stays after it was replaced.
  static let keptTime: Duration = .seconds(10)
  /// Locations that are kept for that time; a client that reads later ones is 10 s behind with 25 fixes in a second.
  static let mostLocations = 256

  let number: Int
  /// The name of its owner's connection.
  let owner: String
  let userID: UInt32
  var desktopID = ""
  var distanceThreshold: UInt32 = 0
  var timeThreshold: UInt32 = 0
  /// As it was set.
  var requestedLevel: UInt32 = AccuracyLevel.city.rawValue
  var state = State.idle
  /// Properties that were set and are not announced yet.
  var unannounced: Set<String> = []
  /// What the service has said last about the authorization, since the start.
  var lastAuthorization: AuthorizationAnswerState?
  /// Whether the service is asked for the reduced position; `nil`: it is not asked.
  var isReduced: Bool?
  private(set) var locations: [BridgeLocation] = []
  private var nextLocation = 0

  init(number: Int, owner: String, userID: UInt32) { (self.number, self.owner, self.userID) = (number, owner, userID) }

  var path: String { GeoClue.path(ofClient: number) }
  var isActive: Bool { state == .active }
  var isStarting: Bool { if case .starting = state { true } else { false } }

  /// The path of the location that was told last.
  var locationPath: String { locations.last.map { GeoClue.path(ofLocation: $0.number, of: number) } ?? "/" }

  /// Adds a location if its owner wants to know it, and returns the paths of the one before and of the new one.
  mutating func add(_ fix: PositionFix, at now: Instant) -> (old: String, new: String)? {
    let location = BridgeLocation(number: nextLocation, fix: fix)
    if let last = locations.last,
      !location.isNews(after: last, distance: distanceThreshold, time: timeThreshold)
    {
      return nil
    }
    let old = locationPath
    nextLocation += 1
    if !locations.isEmpty { locations[locations.count - 1].replacedAt = now }
    locations.append(location)
    trim(at: now)
    return (old, locationPath)
  }

  /// Forgets what it was told: the first location after another start is always told.
  mutating func forgetLocations() { locations = [] }

  /// The location of that number; `nil`: there is none, or none any more.
  func location(_ number: Int, at now: Instant) -> BridgeLocation? {
    guard let index = locations.firstIndex(where: { $0.number == number }) else { return nil }
    return isKept(index, at: now) ? locations[index] : nil
  }

  private mutating func trim(at now: Instant) {
    while let first = locations.indices.first, locations.count > Self.mostLocations || !isKept(first, at: now) {
      locations.removeFirst()
    }
  }

  private func isKept(_ index: Int, at now: Instant) -> Bool {
    guard index < locations.count - 2, let replacedAt = locations[index].replacedAt else { return true }
    return now - replacedAt <= Self.keptTime
  }

  /// The value of a property; `nil`: there is no such property.
  func value(_ name: String) -> BusValue? {
    switch name {
    case "Location": .objectPath(locationPath)
    case "DistanceThreshold": .uint32(distanceThreshold)
    case "TimeThreshold": .uint32(timeThreshold)
    case "DesktopId": .string(desktopID)
    case "RequestedAccuracyLevel": .uint32(requestedLevel)
    case "Active": .boolean(isActive)
    default: nil
    }
  }

  /// Sets a property that its owner may set.
  mutating func set(_ name: String, to value: BusValue) throws(BusError) {
    switch (name, value) {
    case ("DistanceThreshold", .uint32(let meters)): distanceThreshold = meters
    case ("TimeThreshold", .uint32(let seconds)): timeThreshold = seconds
    case ("RequestedAccuracyLevel", .uint32(let level)):
      requestedLevel = AccuracyLevel(requested: level).rawValue
    case ("DesktopId", .string(let id)):
      guard id.utf8.count <= Self.longestDesktopID else { throw .invalidArguments("The desktop ID is too long") }
      desktopID = id
    default:
      guard let property = GeoClue.client.property(name) else { throw .unknownProperty(name) }
      guard property.isWritable else { throw .readOnly(name) }
      throw .invalidArguments("The type of \(name) is \(property.signature)")
    }
  }
}
