package import Geodesy
package import LocationPolicy
package import Regions

/// A destination: a name that the user chose, its address and its settings.
package struct FleetDestination: Hashable, Sendable {
  /// 1…64 of `A-Z a-z 0-9 _ -`, the first no `-`.
  package let name: String
  package var address: FleetAddress
  package var settings: FleetSettings

  /// The most destinations of a service.
  package static let mostDestinations = 16

  package init(name: String, address: FleetAddress, settings: FleetSettings) throws(FleetSettingsError) {
    guard Self.isName(name) else { throw .badName(name) }
    (self.name, self.address, self.settings) = (name, address, settings)
    try check()
  }

  /// Whether a text can be the name of a destination, a user or a device: it needs no quotes in a shell, is no path, and has no
  /// character that means something in a topic.
  package static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "-")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

/// What is sent to a destination, how often, and how. The defaults are those of `locationctl fleet add`.
package struct FleetSettings: Hashable, Sendable {
  // MARK: Identity
  /// The user and the device of the topic `owntracks/USER/DEVICE`.
  package var user = "fleet"
  package var device = "device"
  /// OwnTracks' two characters on the map; `nil`: the last two of `device`.
  package var trackerID: String?
  /// The topic of positions; `nil`: `owntracks/USER/DEVICE`.
  package var topic: String?

  // MARK: What is sent
  package var sendsFixes = true
  /// Region events, with the names of regions; visits.
  package var sendsEvents = false
  package var sendsVisits = false
  /// The users whose regions and visits these are. A destination belongs to the machine, regions to users.
  package var eventUsers: [UInt32] = []
  /// How often the state of the machine and of the outbox is sent; `nil`: never.
  package var healthInterval: Duration?
  /// The shortest time between two positions while moving, and the time after which one is repeated without movement.
  package var interval: Duration = .seconds(60)
  package var parkedInterval: Duration? = .seconds(1800)
  /// Only positions at least this far from the last one, and with at most this 68 % radius; `nil`: all.
  package var distanceFilter: Meters?
  package var desiredRadius68: Meters?
  /// Home Assistant's discovery prefix; `nil`: no discovery.
  package var homeAssistant: String?
  /// The body of `FleetKind.http`, with places for values as `{{latitude}}` (`FleetTemplate`).
  package var template: String?

  // MARK: Privacy
  /// Areas of which nothing is sent.
  package var hidden: [HiddenRegion] = []
  /// When positions may be sent, local time; `nil`: always.
  package var schedule: FleetSchedule?
  /// Whether only a point of the reduced-accuracy grid is sent.
  package var isReduced = false
  /// What is older is not sent; `nil`: everything is.
  package var retention: LogRetention?

  // MARK: How
  package var qos = FleetQoS.atLeastOnce
  /// Whether the broker keeps the last position for later subscribers.
  package var retains = false
  /// The most messages per second.
  package var rate = 10
  /// Time between two connections; `nil`: the connection is held.
  package var batch: Duration?
  /// Megabytes (10⁶ bytes) on the disk at most.
  package var keep = 64
  /// Whether an unencrypted connection to another machine is allowed.
  package var allowsUnencrypted = false
  /// Whether a message that nobody has subscribed to counts as delivered.
  package var acceptsUnheard = false
  /// The account at the server.
  package var account: String?
  package var credentials = FleetCredentials()
  /// Requests from the server that are carried out.
  package var commands: FleetCommands = []

  package init() {}

  /// The topic of positions, from which all others are derived.
  package var baseTopic: String { topic ?? "owntracks/\(user)/\(device)" }
  /// OwnTracks' two characters.
  package var shownTrackerID: String { trackerID ?? String(device.suffix(2)) }
}

/// An area of which nothing is sent; its shape was that of the region when the destination was added.
package struct HiddenRegion: Hashable, Sendable {
  package var name: String
  package var shape: RegionShape

  package init(name: String, shape: RegionShape) { (self.name, self.shape) = (name, shape) }
}

/// MQTT's quality of service (MQTT 5.0, 4.3).
package enum FleetQoS: UInt8, Hashable, Sendable, CaseIterable {
  case atMostOnce = 0, atLeastOnce = 1, exactlyOnce = 2
}

/// What a server may request. Configuration is never accepted.
package struct FleetCommands: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The position now, and the state.
  package static let reports = FleetCommands(rawValue: 1 << 0)
  package static let known: FleetCommands = .reports
}

/// Whether a destination is paused. No position of a pause is ever sent; what waited before is sent afterwards.
package enum FleetPause: Hashable, Sendable {
  case none
  /// Until `fleet resume`.
  case indefinitely
  case until(GNSSTime)

  package func isPaused(at time: GNSSTime) -> Bool {
    switch self {
    case .none: false
    case .indefinitely: true
    case .until(let end): time < end
    }
  }
}

/// Why a destination cannot be as it was requested.
package enum FleetSettingsError: Error, Hashable, Sendable {
  case badName(String)
  case badAddress
  /// An account or a password in the address.
  case secretInAddress
  /// An unencrypted connection to another machine, which was not allowed expressly.
  case unencrypted
  /// The name of the setting, as in the text form.
  case badValue(setting: String)
  /// Two settings that exclude each other, by name.
  case excluded(String, String)
  /// The setting has no meaning for this kind of destination.
  case notForKind(setting: String, FleetKind)
  case missing(setting: String)
  case unknownSetting(String)
  case tooLong(limit: Int)
}
