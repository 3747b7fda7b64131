package import Positioning
package import WireFormats

/// What a client asks of the access points around, and of what is known of them.
package enum WiFiRequest: Hashable, Sendable {
  /// What the radio hears, after a scan where one is possible. Answered by `.heard`.
  case scan
  /// How many are known. Answered by `.account`.
  case account
  /// Those that are known, by address, after `after`; answered by the next `.places`.
  case read(WiFiKnowledge, after: BSSID?)
  /// Keeps where others say that these are, at most `MessageLimits.placesAdded`. Answered by `.done`.
  case add([AccessPointPlace])
  /// Forgets them all. Answered by `.done`.
  case forget(WiFiKnowledge)
}

/// Where what is known of access points comes from.
package enum WiFiKnowledge: Hashable, Sendable, CaseIterable {
  /// From this machine's own fixes.
  case learned
  /// From others' files.
  case imported
}

/// What the service answers of access points.
package enum WiFiAnswer: Hashable, Sendable {
  case heard(WiFiHearing)
  case account(WiFiAccount)
  /// Some of them, by address. `isLast`: there are no more.
  case places([KnownAccessPoint], isLast: Bool)
}

/// How many access points are known.
package struct WiFiAccount: Hashable, Sendable {
  package var learned: Int
  package var imported: Int

  package init(learned: Int, imported: Int) {
    self.learned = learned
    self.imported = imported
  }
}
