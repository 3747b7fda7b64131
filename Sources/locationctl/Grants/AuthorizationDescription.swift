import LocationPolicy

extension AuthorizationLevel {
  /// The JSON value.
  var key: String {
    switch self {
    case .notDetermined: "notDetermined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .whenInUse: "whenInUse"
    case .always: "always"
    }
  }

  /// The text of an authorization level, for people.
  var text: String {
    switch self {
    case .notDetermined: "not decided"
    case .restricted: "no (restricted by root)"
    case .denied: "no"
    case .whenInUse: "while in use"
    case .always: "always"
    }
  }

  /// The role of the level's text, which determines how it is displayed.
  var role: TextRole {
    switch self {
    case .notDetermined: .warning
    case .restricted, .denied: .bad
    case .whenInUse, .always: .good
    }
  }
}

extension ClientPresence {
  /// The JSON value.
  var key: String {
    switch self {
    case .inUse: "inUse"
    case .background: "background"
    }
  }

  var text: String {
    switch self {
    case .inUse: "in use"
    case .background: "in the background"
    }
  }
}

extension IndicatorState.Mark {
  var text: String {
    switch self {
    case .none: "off"
    case .hollow: "hollow: only regions or visits are monitored"
    case .solid: "solid: the location is in use"
    }
  }
}

extension LocationUsage.Mark {
  /// The JSON value.
  var key: String {
    switch self {
    case .current: "now"
    case .recently: "recently"
    case .fences: "fences"
    }
  }
}

extension LocationUses {
  private static let names: [(uses: LocationUses, key: String, text: String)] = [
    (.location, "location", "location"), (.ranging, "ranging", "ranging"),
    (.significantChanges, "significantChanges", "significant changes"), (.visits, "visits", "visits"),
    (.fences, "fences", "fences"),
  ]

  /// The JSON values.
  var keys: [String] { Self.names.filter { contains($0.uses) }.map(\.key) }

  var text: String { Self.names.filter { contains($0.uses) }.map(\.text).joined(separator: ", ") }
}

extension LocationPolicy.AuthorizationPrompt {
  /// The JSON value.
  var requestedKey: String {
    switch kind {
    case .first(let requestsAlways, _): requestsAlways ? "always" : "whenInUse"
    case .upgradeToAlways: "always"
    case .keepAlways: "keepAlways"
    case .fullAccuracy: "fullAccuracy"
    }
  }

  /// The text of the requested level.
  var requestedText: String {
    switch kind {
    case .first(let requestsAlways, _): requestsAlways ? "always" : "while in use"
    case .upgradeToAlways: "always"
    case .keepAlways: "keep always"
    case .fullAccuracy: "exact location for now"
    }
  }
}
