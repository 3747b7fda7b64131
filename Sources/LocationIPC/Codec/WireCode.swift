import Geodesy
import LocationPolicy

/// A choice that crosses the socket as a small number. Numbers are for ever: a new case gets a new one.
protocol WireCode: CaseIterable, Sendable {
  var wireCode: UInt64 { get }
}

extension WireCode {
  /// The case of that number; `nil`: this version knows none.
  init?(wireCode: UInt64) {
    guard let found = Self.allCases.first(where: { $0.wireCode == wireCode }) else { return nil }
    self = found
  }
}

extension Activity: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .other: 0
    case .automotiveNavigation: 1
    case .fitness: 2
    case .otherNavigation: 3
    case .airborne: 4
    case .maritime: 5
    }
  }
}

extension DeviceKind: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .receiver: 0
    case .adapter: 1
    case .trusted: 2
    }
  }
}

extension DeviceOwner: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .locationd: 0
    case .gpsd: 1
    }
  }
}

extension DeviceState: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .closed: 0
    case .opening: 1
    case .hunting: 2
    case .identified: 3
    case .fixing: 4
    case .silent: 5
    case .busy: 6
    case .denied: 7
    case .untrusted: 8
    case .open: 9
    }
  }
}

extension ServiceBound.Kind: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .clients: 0
    case .clientsOfUser: 1
    case .clientsWithoutGrant: 2
    case .clientsOfNamespaces: 3
    case .requests: 4
    case .requestsOfUser: 5
    case .regions: 6
    case .regionBytes: 7
    case .lists: 8
    }
  }
}

extension SatelliteConstellation: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .gps: 0
    case .glonass: 1
    case .galileo: 2
    case .beidou: 3
    case .qzss: 4
    case .navic: 5
    case .sbas: 6
    case .imes: 7
    }
  }
}

extension AccuracyRule: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .converging: 0
    case .required: 1
    case .preferred: 2
    }
  }
}

extension UndecidedConduct: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .fails: 0
    case .asks: 1
    case .waits: 2
    }
  }
}

extension StreamChange: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .lost: 0
    case .back: 1
    case .suspended: 2
    case .resumed: 3
    case .paused: 4
    case .unpaused: 5
    }
  }
}

extension FixKind: WireCode {
  static var allCases: [FixKind] {
    [.estimated, .twoDimensional, .threeDimensional, .differential, .rtkFloat, .rtkFixed]
  }
  var wireCode: UInt64 {
    switch self {
    case .estimated: 0
    case .twoDimensional: 1
    case .threeDimensional: 2
    case .differential: 3
    case .rtkFloat: 4
    case .rtkFixed: 5
    }
  }
}

extension TimeValidity: WireCode {
  static var allCases: [TimeValidity] { [.none, .timeOfDayOnly, .dateUnconfirmed, .confirmed] }
  var wireCode: UInt64 {
    switch self {
    case .none: 0
    case .timeOfDayOnly: 1
    case .dateUnconfirmed: 2
    case .confirmed: 3
    }
  }
}

extension Suspicion: WireCode {
  static var allCases: [Suspicion] { [.frozen, .jammed, .implausible] }
  var wireCode: UInt64 {
    switch self {
    case .frozen: 0
    case .jammed: 1
    case .implausible: 2
    }
  }
}

extension AuthorizationLevel: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .notDetermined: 0
    case .restricted: 1
    case .denied: 2
    case .whenInUse: 3
    case .always: 4
    }
  }
}

extension ClientPresence: WireCode {
  static var allCases: [ClientPresence] { [.inUse, .background] }

  var wireCode: UInt64 {
    switch self {
    case .inUse: 0
    case .background: 1
    }
  }
}

extension Answer.Choice: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .whileInUse: 0
    case .always: 1
    case .once: 2
    case .no: 3
    }
  }
}

extension IgnoredRequest: WireCode {
  static var allCases: [IgnoredRequest] { [.noDescription, .notInUse, .allowedOnce, .full] }

  var wireCode: UInt64 {
    switch self {
    case .noDescription: 0
    case .notInUse: 1
    case .allowedOnce: 2
    case .full: 3
    }
  }
}

extension DecisionRefusal: WireCode {
  static var allCases: [DecisionRefusal] { [.noSay, .onlyRoot, .aboveOwn, .full, .byAccount] }

  var wireCode: UInt64 {
    switch self {
    case .noSay: 0
    case .onlyRoot: 1
    case .aboveOwn: 2
    case .full: 3
    case .byAccount: 4
    }
  }
}

extension FullAccuracyAnswer.Reason: WireCode {
  static var allCases: [FullAccuracyAnswer.Reason] {
    [
      .isFull, .notAuthorized, .notInUse, .noDescription, .nobodyToAsk, .otherQuestion,
    ]
  }

  var wireCode: UInt64 {
    switch self {
    case .isFull: 0
    case .notAuthorized: 1
    case .notInUse: 2
    case .noDescription: 3
    case .nobodyToAsk: 4
    case .otherQuestion: 5
    }
  }
}
