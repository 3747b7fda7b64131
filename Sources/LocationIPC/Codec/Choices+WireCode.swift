import Geodesy

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
