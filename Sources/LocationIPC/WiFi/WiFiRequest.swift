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
