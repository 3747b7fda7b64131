import Geodesy
import LocationIPC
import LocationPolicy
import Regions

/// Messages about monitoring.
extension MessageGenerator {
  mutating func monitoringRequest() -> MonitoringRequest {
    let list = text()
    return switch int(0...14) {
    case 14: .removeVisits(list: maybe { $0.text() }, from: maybe { $0.time() }, to: maybe { $0.time() })
    case 12: .importVisits(self.list(upTo: 5) { $0.visit() })
    case 13: .importedVisits(from: maybe { $0.time() }, index: UInt32(int(0...1_000_000)))
    case 0: .add(list: list, self.list(upTo: 5) { $0.monitoredRegion() }, outlives: flag())
    case 1: .remove(list: list, self.list(upTo: 5) { $0.identifier() })
    case 2: .removeAll(list: list)
    case 3: .state(list: list, identifier())
    case 4: .read(list: list, from: UInt32(int(0...1_000_000)))
    case 5: .lists
    case 6: .setVisits(list: list, isOn: flag(), launch(), outlives: flag())
    case 7: .setSignificantChanges(list: list, isOn: flag(), launch(), outlives: flag())
    case 8: .visits(list: list, from: maybe { $0.time() })
    case 9: .follow(list: maybe { $0.text() }, receives: flag())
    case 10: .room
    default: .acknowledge(list: list, event: UInt64(int(0...1_000_000)))
    }
  }

  mutating func monitoringAnswer() -> MonitoringAnswer {
    switch int(0...9) {
    case 9: .removedVisits(int(0...9))
    case 6: .importedCounts(added: int(0...9), known: int(0...9), beyond: int(0...9))
    case 7: .importedVisits(list(upTo: 5) { $0.visit() }, next: maybe { UInt32($0.int(0...1_000_000)) })
    case 0: .state(maybe { $0.one(of: RegionState.allCases) })
    case 1: .regions(list(upTo: 5) { $0.monitoredRegion() }, next: maybe { UInt32($0.int(0...1_000_000)) })
    case 2:
      .lists(
        list(upTo: 4) {
          var report = MonitoringListReport(
            name: $0.text(), identity: $0.identity(), regions: $0.int(0...9), wanted: $0.uses(), allowed: $0.uses(),
            waiting: $0.int(0...9), dropped: $0.int(0...9), problem: $0.maybe { $0.text() })
          (report.visitsLaunch, report.significantChangesLaunch) = ($0.launch(), $0.launch())
          return report
        })
    case 3:
      .visits(list(upTo: 5) { $0.visit() })
    case 4: .event(monitoringEvent(), list: text())
    case 5:
      .room(
        MonitoringQuota(
          regions: int(0...9), mostRegions: int(0...1_000_000), bytes: int(0...999), mostBytes: int(0...1_000_000)))
    default: .allowed(uses(), list: text())
    }
  }

  mutating func monitoringFailure() -> MonitoringFailure {
    switch int(0...7) {
    case 7: .tooManyTimedRegions(limit: int(0...1000))
    case 6: .monitoredElsewhere(processID: maybe { Int32($0.int(1...99)) })
    case 0: .needsDaemon
    case 1: .badName(text())
    case 2: flag() ? .tooManyRegions(limit: int(0...1_000_000)) : .tooManyRegionBytes(limit: int(0...1_000_000))
    case 3: .tooManyLists(limit: int(0...64))
    case 4: .cannotKeep(path: text(), reason: text(), one(of: StorageCause.allCases))
    default: .mayNotLaunch(identity())
    }
  }

  mutating func monitoringEvent() -> MonitoringEvent {
    let (subject, kind): (MonitoringSubject, MonitoringEvent.Kind) =
      switch int(0...4) {
      case 0: (.region(identifier()), .crossed(one(of: RegionState.allCases)))
      case 1: (.region(identifier()), .determined(one(of: RegionState.allCases)))
      case 2: (.visits, .arrived(visit()))
      case 3: (.visits, .departed(visit()))
      default: (.significantChanges, .moved)
      }
    return MonitoringEvent(
      id: UInt64(int(0...1_000_000)), subject, kind, time: maybe { $0.time() }, fix: maybe { $0.fix() },
      attempt: int(1...9))
  }

  /// An identifier, which may be longer than other texts.
  private mutating func identifier() -> String { String(repeating: String(text().prefix(20)), count: int(0...12)) }

  private mutating func uses() -> MonitoringUses { MonitoringUses(rawValue: UInt8(int(0...15))) }

  private mutating func launch() -> MonitoringLaunch {
    MonitoringLaunch(
      onEntry: maybe { _ in .random() }, onExit: maybe { _ in .random() }, onUnknown: maybe { _ in .random() },
      isShown: flag())
  }

  private mutating func timing() -> RegionTiming {
    RegionTiming(
      dwellSeconds: maybe { $0.int(RegionTiming.possible) },
      unknownAfterSeconds: maybe { $0.int(RegionTiming.possible) }
    ) ?? RegionTiming()
  }

  private mutating func place() -> Coordinate {
    Coordinate(latitude: Angle(degrees: Double(int(-90...90))), longitude: Angle(degrees: Double(int(-179...180))))
  }

  private mutating func visit() -> Visit {
    var visit = Visit(
      coordinate: place(), horizontalRadius68: Meters(positive()), arrival: maybe { $0.time() },
      departure: maybe { $0.time() }, hasEnded: flag())
    visit.isImported = flag()
    return visit
  }

  /// The generated values are always valid.
  private func made<Value>(_ make: () throws -> Value) -> Value {
    do { return try make() } catch { preconditionFailure("\(error)") }
  }

  private mutating func monitoredRegion() -> MonitoredRegion {
    let middle = place()
    let circle = RegionShape.circle(
      made { [radius = positive()] in try CircleShape(center: middle, radius: Meters(radius)) })
    let north = min(89, middle.latitude.degrees + 0.5)
    let corners = [(0.0, 0.0), (0, 0.5), (0.5, 0.5)].map {
      Coordinate(
        latitude: Angle(degrees: north + $0.0), longitude: Angle(degrees: min(180, middle.longitude.degrees + $0.1)))
    }
    let shape = flag() ? circle : (try? PolygonShape(corners: corners)).map(RegionShape.polygon) ?? circle
    let region = made { [name = identifier(), entry = flag(), exit = flag()] in
      try Region(identifier: name, shape: shape, notifiesOnEntry: entry, notifiesOnExit: exit)
    }
    return MonitoredRegion(
      region, state: one(of: RegionState.allCases), launch: launch(), timing: timing(),
      acknowledgedState: maybe { $0.one(of: RegionState.allCases) }, receivedAt: maybe { $0.time() })
  }
}
