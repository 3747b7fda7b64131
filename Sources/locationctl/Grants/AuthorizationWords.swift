import LocationPolicy

extension AuthorizationLevel {
  /// The word of the JSON.
  var key: String {
    switch self {
    case .notDetermined: "notDetermined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .whenInUse: "whenInUse"
    case .always: "always"
    }
  }

  /// What somebody may.
  var words: String {
    switch self {
    case .notDetermined: "not decided"
    case .restricted: "no, by root"
    case .denied: "no"
    case .whenInUse: "while in use"
    case .always: "always"
    }
  }
}

extension ClientPresence {
  /// The word of the JSON.
  var key: String {
    switch self {
    case .inUse: "inUse"
    case .background: "background"
    }
  }

  var words: String {
    switch self {
    case .inUse: "in use"
    case .background: "in the background"
    }
  }
}

extension IndicatorState.Mark {
  /// The word of the JSON, as the file `indicator` has it.
  var key: String {
    switch self {
    case .none: "none"
    case .hollow: "hollow"
    case .solid: "solid"
    }
  }

  var words: String {
    switch self {
    case .none: "off"
    case .hollow: "hollow"
    case .solid: "solid"
    }
  }
}

extension LocationUsage.Mark {
  /// The word of the JSON.
  var key: String {
    switch self {
    case .current: "now"
    case .recently: "recently"
    case .fences: "fences"
    }
  }
}

extension LocationUses {
  /// The words of the JSON.
  var keys: [String] {
    let names: [(LocationUses, String)] = [
      (.location, "location"), (.ranging, "ranging"), (.significantChanges, "significantChanges"), (.visits, "visits"),
      (.fences, "fences"),
    ]
    return names.filter { contains($0.0) }.map(\.1)
  }

  var words: String {
    let names: [(LocationUses, String)] = [
      (.location, "location"), (.ranging, "ranging"), (.significantChanges, "significant changes"), (.visits, "visits"),
      (.fences, "fences"),
    ]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}

extension LocationPolicy.Question {
  /// The word of the JSON.
  var wish: String {
    switch kind {
    case .first(let wishesAlways, _): wishesAlways ? "always" : "whenInUse"
    case .upgradeToAlways: "always"
    case .keepAlways: "keepAlways"
    case .fullAccuracy: "fullAccuracy"
    }
  }

  /// What is asked for.
  var wishWords: String {
    switch kind {
    case .first(let wishesAlways, _): wishesAlways ? "always" : "while in use"
    case .upgradeToAlways: "always"
    case .keepAlways: "to keep always"
    case .fullAccuracy: "exactly, for now"
    }
  }
}
