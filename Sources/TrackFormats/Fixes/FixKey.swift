import Geodesy

/// The stable keys for scripts, in output order; keys are only ever added.
package enum FixKey: String, CaseIterable, Sendable {
  case timestamp, latitude, longitude, altitude, ellipsoidalAltitude, geoidSeparation
  case horizontalAccuracy, verticalAccuracy, course, courseAccuracy, speed, speedAccuracy, floor, age, fix
  case satellitesUsed, technologies, device, receiver, timeConfirmed, cached, accuracyMet, suspect, simulated
  case dateAssumed, imported, hdop, dgpsAge

  /// `allCases`, computed once.
  static let all = allCases

  /// Each key as JSON text with a leading comma and its colon, by its index in `all`.
  static let jsonNames = all.map { ShortText(",\"\($0.rawValue)\":") }

  /// The value of `located` for this key; `nil` if unknown.
  package func value(of located: LocatedFix) -> OutputValue? {
    // Each case reads the fix in place: copying the fix for every key would cost more than reading it.
    switch self {
    case .timestamp: return .text(Timestamp(located.fix.time)?.iso8601)
    // 9 decimals are 0.1 mm, the finest resolution that a receiver reports (UBX-NAV-HPPOSLLH).
    case .latitude: return .number(located.fix.coordinate.latitude.degrees, decimals: 9, minimum: 7)
    case .longitude: return .number(located.fix.coordinate.longitude.degrees, decimals: 9, minimum: 7)
    case .altitude: return .meters(located.altitude)
    case .ellipsoidalAltitude: return .meters(located.ellipsoidalAltitude)
    case .geoidSeparation: return .meters(located.geoidSeparation)
    case .horizontalAccuracy: return .meters(located.fix.knownHorizontalRadius68?.value)
    case .verticalAccuracy: return .meters(located.verticalAccuracy)
    case .course:
      return located.fix.course.flatMap { FixedDecimal(direction: $0.degrees, decimals: 2) }.map { .number($0) }
    case .courseAccuracy: return .number(located.fix.courseRadius68?.degrees, decimals: 2)
    case .speed: return .meters(located.fix.speedMetersPerSecond)
    case .speedAccuracy: return .meters(located.fix.speedRadius68MetersPerSecond)
    // No source reports a floor yet.
    case .floor: return nil
    case .age: return .number(located.age?.inSeconds, decimals: 3)
    case .fix: return .text(located.fix.knownKind?.contractName)
    case .satellitesUsed: return .number(located.fix.satellitesUsed)
    case .technologies:
      let names = located.fix.technologies.contractNames
      return names.isEmpty ? nil : .list(names)
    case .device: return .text(located.fix.device)
    case .receiver: return .text(located.fix.receiver)
    case .timeConfirmed: return .flag(located.fix.timeValidity == .confirmed)
    case .cached: return located.isCached ? .flag(true) : nil
    case .accuracyMet: return located.isAccuracyMet.map { .flag($0) }
    case .suspect: return .text(located.fix.qualityFlag?.contractName)
    case .simulated: return located.fix.isSimulated ? .flag(true) : nil
    case .dateAssumed: return located.fix.timeValidity == .timeOfDayOnly ? .flag(true) : nil
    case .imported: return located.fix.isImported ? .flag(true) : nil
    case .hdop: return .number(located.fix.hdop, decimals: 2)
    case .dgpsAge: return .number(located.fix.correctionAge?.inSeconds, decimals: 1)
    }
  }
}

extension FixKind {
  package var contractName: String {
    switch self {
    case .estimated: "estimated"
    case .twoDimensional: "2d"
    case .threeDimensional: "3d"
    case .differential: "dgnss"
    case .rtkFloat: "rtkFloat"
    case .rtkFixed: "rtkFixed"
    }
  }
}

extension Technologies {
  private static let gnssAlone = ["gnss"]

  fileprivate var contractNames: [String] {
    if self == .gnss { return Self.gnssAlone }
    let names: [(Technologies, String)] = [
      (.gnss, "gnss"), (.wifi, "wifi"), (.cell, "cell"), (.companion, "companion"),
      (.network, "network"),
    ]
    return names.filter { contains($0.0) }.map(\.1)
  }
}

extension FixQualityFlag {
  package var contractName: String {
    switch self {
    case .frozen: "frozen"
    case .jammed: "jammed"
    case .implausible: "implausible"
    }
  }
}
