package import Geodesy
package import Positioning
package import WireFormats

/// A client's request about the access points around, and about the access point database.
package enum WiFiRequest: Hashable, Sendable {
  /// The access points that the radio receives, after a scan if possible. Answered by `.received`.
  case scan
  /// The same, and the position: from the provider, if there is one and the local database has none.
  case locate
  /// The numbers of known access points. Answered by `.account`.
  case account
  /// Known access points, by address, after `after`; answered by the next `.places`.
  case read(AccessPointOrigin, after: BSSID?)
  /// Stores imported positions, at most `MessageLimits.placesAdded`. Answered by `.done`.
  case add([AccessPointPosition])
  /// Deletes these access points, which opt out; at most `MessageLimits.placesAdded`. Answered by `.done`.
  case leaveOut([BSSID])
  /// Deletes all of one origin. Answered by `.done`.
  case forget(AccessPointOrigin)
}

/// The origin of known positions of access points.
package enum AccessPointOrigin: UInt8, Hashable, Sendable, CaseIterable {
  /// From this machine's own fixes.
  case learned = 0
  /// From imported files.
  case imported = 1
  /// From downloaded tiles, together with the provider's answers.
  case fetched = 2

  /// As on the command line.
  package var name: String { "\(self)" }
}

/// The service's answer to a `WiFiRequest`.
package enum WiFiAnswer: Hashable, Sendable {
  case received(WiFiObservation)
  case account(WiFiAccount)
  /// Known access points, by address. `next`: the address to continue after if more may follow; those without a position count
  /// as well.
  case places([KnownAccessPoint], next: BSSID?)
}

/// The numbers of known access points, and the state of network sources.
package struct WiFiAccount: Hashable, Sendable {
  package var learned: Int
  package var imported: Int
  /// Access points in downloaded tiles.
  package var fetched: Int
  /// Number of those tiles.
  package var tiles: Int
  /// The provider in use; `nil`: none.
  package var provider: NetworkSourceStatus?
  /// The source of tiles; `nil`: none.
  package var tileSource: NetworkSourceStatus?

  /// Whether no access point is known, and no network source is in use that could know some.
  package var isEmpty: Bool { learned + imported + fetched == 0 && provider == nil && tileSource == nil }

  package init(learned: Int, imported: Int, fetched: Int = 0, tiles: Int = 0) {
    self.learned = learned
    self.imported = imported
    self.fetched = fetched
    self.tiles = tiles
  }
}

/// The state of a network source.
package struct NetworkSourceStatus: Hashable, Sendable {
  /// The host, or the folder.
  package var name: String
  /// Why the last request failed; `nil`: it succeeded, or there was none.
  package var problem: FetchProblem?
  /// How many tiles were invalid, or other tiles than requested.
  package var badTiles: Int

  package init(name: String, problem: FetchProblem?, badTiles: Int = 0) {
    self.name = name
    self.problem = problem
    self.badTiles = badTiles
  }
}

/// The current state of Wi-Fi positioning, without any position.
package enum WiFiReport: Hashable, Sendable {
  /// Disabled (the setting `wifi` is `off`).
  case off
  /// No client requires a position, so that nothing is open.
  case resting
  /// The radio receives `received` access points, `known` of them with a known position. `problem`: why the service starts no
  /// scans of its own.
  case listening(received: Int, known: Int, problem: RadioProblem?)
  /// The radio receives none.
  case deaf(RadioProblem)
}

/// The access points that the radio receives, and the position from them.
package struct WiFiObservation: Hashable, Sendable {
  /// Strongest first, at most `MessageLimits.accessPoints`.
  package var accessPoints: [VisibleAccessPoint] = []
  /// The machine's position by them; `nil`: none of them is known.
  package var coordinate: Coordinate?
  /// 68 % radius of that, > 0.
  package var horizontalRadius68: Meters?
  /// Why there are none, or only those from scans by other programs.
  package var problem: RadioProblem?

  package init() {}
}

/// An access point that the radio receives. Its name is private, and left out.
package struct VisibleAccessPoint: Hashable, Sendable {
  package var bssid: BSSID
  /// dBm; `nil` if the driver does not know.
  package var signalDecibelMilliwatts: Double?
  /// MHz; `nil` if the kernel does not report it.
  package var frequencyMegahertz: Int?
  /// Time since its last beacon, ≥ 0.
  package var age: Duration
  /// Whether its position is known.
  package var isKnown: Bool

  package init(
    bssid: BSSID, signalDecibelMilliwatts: Double?, frequencyMegahertz: Int?, age: Duration, isKnown: Bool
  ) {
    self.bssid = bssid
    self.signalDecibelMilliwatts = signalDecibelMilliwatts
    self.frequencyMegahertz = frequencyMegahertz
    self.age = age
    self.isKnown = isKnown
  }
}

/// An access point with a known position.
package struct KnownAccessPoint: Hashable, Sendable {
  package var place: AccessPointPosition
  /// Number of observations; `nil`: it was not learned here.
  package var observations: Int?
  /// The first and the last day of its observations, days since 1970-01-01; `nil` likewise.
  package var days: ClosedRange<Int>?

  package init(place: AccessPointPosition, observations: Int? = nil, days: ClosedRange<Int>? = nil) {
    self.place = place
    self.observations = observations
    self.days = days
  }
}
