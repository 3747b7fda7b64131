import Geodesy

/// The keys that scripts may rely on, in the order in which they are written; keys are only ever added.
package enum FixKey: String, CaseIterable, Sendable {
  case timestamp, latitude, longitude, altitude, ellipsoidalAltitude, geoidSeparation
  case horizontalAccuracy, verticalAccuracy, course, courseAccuracy, speed, speedAccuracy, floor, age, fix
  case satellitesUsed, technologies, device, receiver, timeConfirmed, cached, accuracyMet, suspect, simulated
  case dateAssumed

  /// What `located` says under this key; `nil` where it does not know.
  package func value(of located: LocatedFix) -> OutputValue? {
    let fix = located.fix
    switch self {
    case .timestamp: return .text(Timestamp(fix.time)?.iso8601)
    // 9 decimals are 0.1 mm, below what any receiver solves.
    case .latitude: return .number(fix.coordinate.latitude.degrees, decimals: 9, minimum: 7)
    case .longitude: return .number(fix.coordinate.longitude.degrees, decimals: 9, minimum: 7)
    case .altitude: return .meters(located.altitude)
    case .ellipsoidalAltitude: return .meters(located.ellipsoidalAltitude)
    case .geoidSeparation: return .meters(located.geoidSeparation)
    case .horizontalAccuracy: return .meters(fix.horizontalRadius68.value)
    case .verticalAccuracy: return .meters(located.verticalAccuracy)
    case .course: return fix.course.flatMap { FixedDecimal(direction: $0.degrees, decimals: 2) }.map { .number($0) }
    case .courseAccuracy: return .number(fix.courseRadius68?.degrees, decimals: 2)
    case .speed: return .meters(fix.speedMetersPerSecond)
    case .speedAccuracy: return .meters(fix.speedRadius68MetersPerSecond)
    // No source tells a floor yet.
    case .floor: return nil
    case .age: return .number(located.age?.inSeconds, decimals: 3)
    case .fix: return .text(fix.kind.contractName)
    case .satellitesUsed: return .number(fix.satellitesUsed)
    case .technologies:
      return fix.technologies.contractNames.isEmpty ? nil : .list(fix.technologies.contractNames)
    case .device: return .text(fix.device)
    case .receiver: return .text(fix.receiver)
    case .timeConfirmed: return .flag(fix.timeValidity == .confirmed)
    case .cached: return located.isCached ? .flag(true) : nil
    case .accuracyMet: return located.isAccuracyMet.map { .flag($0) }
    case .suspect: return .text(fix.suspicion?.contractName)
    case .simulated: return fix.isSimulated ? .flag(true) : nil
    case .dateAssumed: return fix.timeValidity == .timeOfDayOnly ? .flag(true) : nil
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
  fileprivate var contractNames: [String] {
    let names: [(Technologies, String)] = [
      (.gnss, "gnss"), (.wifi, "wifi"), (.cell, "cell"), (.companion, "companion"),
    ]
    return names.filter { contains($0.0) }.map(\.1)
  }
}

extension Suspicion {
  package var contractName: String {
    switch self {
    case .frozen: "frozen"
    case .jammed: "jammed"
    case .implausible: "implausible"
    }
  }
}
