package import Geodesy
package import Positioning
package import WireFormats

/// What a client asks of the access points around, and of what is known of them.
package enum WiFiRequest: Hashable, Sendable {
  /// What the radio hears, after a scan where one is possible. Answered by `.heard`.
  case scan
  /// The same, and a provider is asked where nothing here knows the place, if there is one.
  case locate
  /// How many are known. Answered by `.account`.
  case account
  /// Those that are known, by address, after `after`; answered by the next `.places`.
  case read(WiFiKnowledge, after: BSSID?)
  /// Keeps where others say that these are, at most `MessageLimits.placesAdded`. Answered by `.done`.
  case add([AccessPointPlace])
  /// Forgets these, as they ask to be left out; at most `MessageLimits.placesAdded`. Answered by `.done`.
  case leaveOut([BSSID])
  /// Forgets them all. Answered by `.done`.
  case forget(WiFiKnowledge)
}

/// Where what is known of access points comes from.
package enum WiFiKnowledge: Hashable, Sendable, CaseIterable {
  /// From this machine's own fixes.
  case learned
  /// From others' files.
  case imported
  /// From tiles that were fetched; with it, what a provider has answered.
  case fetched
}

/// What the service answers of access points.
package enum WiFiAnswer: Hashable, Sendable {
  case heard(WiFiHearing)
  case account(WiFiAccount)
  /// Some of them, by address. `next`: after which to read on, as more may follow; those that nothing is told of count as well.
  case places([KnownAccessPoint], next: BSSID?)
}

/// How many access points are known, and what is had from outside.
package struct WiFiAccount: Hashable, Sendable {
  package var learned: Int
  package var imported: Int
  /// Access points of tiles that were fetched.
  package var fetched: Int
  /// Tiles that they are of.
  package var tiles: Int
  /// The provider that is asked; `nil`: none is.
  package var provider: OutsideStanding?
  /// Where tiles are fetched from; `nil`: nowhere.
  package var tileSource: OutsideStanding?

  package init(learned: Int, imported: Int, fetched: Int = 0, tiles: Int = 0) {
    self.learned = learned
    self.imported = imported
    self.fetched = fetched
    self.tiles = tiles
  }
}

/// How it is with something that is asked outside of this machine.
package struct OutsideStanding: Hashable, Sendable {
  /// The machine, or the folder.
  package var name: String
  /// Why the last question had no answer; `nil`: it had one, or none was asked yet.
  package var problem: FetchProblem?
  /// How many tiles were no tiles, or others than they should have been.
  package var badTiles: Int

  package init(name: String, problem: FetchProblem?, badTiles: Int = 0) {
    self.name = name
    self.problem = problem
    self.badTiles = badTiles
  }
}

/// What the service makes of the machine's Wi-Fi now, without a word of where that is.
package enum WiFiReport: Hashable, Sendable {
  /// Nothing: it is not to be used (LOCATIOND_WIFI=off).
  case off
  /// Nobody wants to know where the machine is, so that nothing is open.
  case resting
  /// It hears so many access points, and knows where some of them are. `problem`: why it does not scan on its own.
  case listening(heard: Int, known: Int, problem: RadioProblem?)
  /// It hears none.
  case deaf(RadioProblem)
}

/// What the radio hears, and what that tells.
package struct WiFiHearing: Hashable, Sendable {
  /// Strongest first, at most `MessageLimits.accessPoints`.
  package var accessPoints: [HeardAccessPoint] = []
  /// Where the machine is by them; `nil`: none of them is known.
  package var coordinate: Coordinate?
  /// 68 % radius of that, > 0.
  package var horizontalRadius68: Meters?
  /// Why there are none, or only what others have scanned for.
  package var problem: RadioProblem?

  package init() {}
}

/// An access point that the radio hears. Its name is nobody's business.
package struct HeardAccessPoint: Hashable, Sendable {
  package var bssid: BSSID
  /// dBm; `nil` where the driver does not know.
  package var signalDecibelMilliwatts: Double?
  /// MHz; `nil` where it is not told.
  package var frequencyMegahertz: Int?
  /// Since its last beacon, ≥ 0.
  package var age: Duration
  /// Whether it is known where it is.
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

/// An access point of which it is known where it is.
package struct KnownAccessPoint: Hashable, Sendable {
  package var place: AccessPointPlace
  /// How often it was heard; `nil`: it was not learnt here.
  package var hearings: Int?
  /// The first and the last day that it was heard, days since 1970-01-01; `nil` likewise.
  package var days: ClosedRange<Int>?

  package init(place: AccessPointPlace, hearings: Int? = nil, days: ClosedRange<Int>? = nil) {
    self.place = place
    self.hearings = hearings
    self.days = days
  }
}
