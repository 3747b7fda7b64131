import BusMessages

/// The interfaces of `org.freedesktop.GeoClue2`, and its objects.
package enum GeoClue {
  package static let name = "org.freedesktop.GeoClue2"
  static let root = "/org/freedesktop/GeoClue2"
  package static let managerPath = root + "/Manager"
  package static let agentPath = root + "/Agent"
  package static let agentInterface = name + ".Agent"

  static let manager = BusInterface(
    name + ".Manager",
    methods: [
      BusInterface.Method("GetClient", returns: [BusInterface.Argument("client", "o")]),
      BusInterface.Method("CreateClient", returns: [BusInterface.Argument("client", "o")]),
      BusInterface.Method("DeleteClient", takes: [BusInterface.Argument("client", "o")]),
      BusInterface.Method("AddAgent", takes: [BusInterface.Argument("id", "s")]),
    ],
    properties: [
      BusInterface.Property("InUse", "b"), BusInterface.Property("AvailableAccuracyLevel", "u"),
    ])

  static let client = BusInterface(
    name + ".Client",
    methods: [BusInterface.Method("Start"), BusInterface.Method("Stop")],
    properties: [
      BusInterface.Property("Location", "o"),
      BusInterface.Property("DistanceThreshold", "u", isWritable: true),
      BusInterface.Property("TimeThreshold", "u", isWritable: true),
      BusInterface.Property("DesktopId", "s", isWritable: true),
      BusInterface.Property("RequestedAccuracyLevel", "u", isWritable: true),
      BusInterface.Property("Active", "b"),
    ],
    signals: [
      BusInterface.Signal(
        "LocationUpdated", [BusInterface.Argument("old", "o"), BusInterface.Argument("new", "o")])
    ])

  static let location = BusInterface(
    name + ".Location",
    properties: [
      BusInterface.Property("Latitude", "d", isConstant: true),
      BusInterface.Property("Longitude", "d", isConstant: true),
      BusInterface.Property("Accuracy", "d", isConstant: true),
      BusInterface.Property("Altitude", "d", isConstant: true),
      BusInterface.Property("Speed", "d", isConstant: true),
      BusInterface.Property("Heading", "d", isConstant: true),
      BusInterface.Property("Description", "s", isConstant: true),
      BusInterface.Property("Timestamp", "(tt)", isConstant: true),
    ])

  static func path(ofClient number: Int) -> String { "\(root)/Client/\(number)" }
  static func path(ofLocation number: Int, of client: Int) -> String {
    "\(path(ofClient: client))/Location/\(number)"
  }

  /// What an object's path names.
  enum Object: Hashable {
    case manager
    case client(Int)
    case location(Int, client: Int)
    /// A part of paths, which has no interface of its own.
    case node
  }

  /// `nil`: no path of this service.
  static func object(at path: String) -> Object? {
    if path == managerPath { return .manager }
    if path == "/" || root == path || (root + "/").hasPrefix(path + "/") || path == root + "/Client" { return .node }
    let prefix = root + "/Client/"
    guard path.hasPrefix(prefix) else { return nil }
    let parts = path.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
    guard let number = number(parts[0]) else { return nil }
    switch parts.count {
    case 1: return .client(number)
    case 2 where parts[1] == "Location": return .node
    case 3 where parts[1] == "Location": return self.number(parts[2]).map { .location($0, client: number) }
    default: return nil
    }
  }

  /// A number as this service writes it: one object has one path.
  private static func number(_ text: Substring) -> Int? {
    guard let number = Int(text), String(number) == text, number >= 0 else { return nil }
    return number
  }
}

/// The accuracy that a client asks for (GClueAccuracyLevel).
package enum AccuracyLevel: UInt32, Hashable, Comparable, Sendable, CaseIterable {
  case none = 0
  case country = 1
  case city = 4
  case neighborhood = 5
  case street = 6
  case exact = 8

  /// The level of a number that a client has set: one without a level of its own counts as the next lower one, and zero as a country.
  package init(requested number: UInt32) {
    self =
      switch number {
      case 0...3: .country
      case 4: .city
      case 5: .neighborhood
      case 6, 7: .street
      default: .exact
      }
  }

  /// The level of a number that an agent has set as the most that it allows.
  package init(allowed number: UInt32) { self = number == 0 ? .none : AccuracyLevel(requested: number) }

  /// Whether only the point of the coarse grid is given.
  package var isReduced: Bool { self < .street }

  package static func < (left: AccuracyLevel, right: AccuracyLevel) -> Bool { left.rawValue < right.rawValue }
}
