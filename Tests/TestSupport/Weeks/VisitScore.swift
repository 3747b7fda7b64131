package import Geodesy
package import LocationPolicy

/// How well visits were detected in simulated weeks.
package struct VisitScore {
  /// A visit of a detector, in seconds since the start; `nil` for an unknown time.
  private struct Found {
    var offset: LocalFrame.Offset
    var arrival, departure: Double?
  }

  package private(set) var stays = 0
  package private(set) var found = 0
  /// The number of visits without a stay.
  package private(set) var inventions = 0
  package private(set) var hours = 0.0
  private var errors: (arrival: [Double], departure: [Double]) = ([], [])

  /// Scores the visits that `detect` finds in the fixes of one week, for each seed.
  package init(_ kind: WeekSensor.Kind, seeds: Range<UInt64>, _ detect: ([PositionFix]) -> [Visit]) {
    for seed in seeds {
      let week = SimulatedWeek(seed: seed)
      var sensor = WeekSensor(kind, seed: seed)
      var fixes: [PositionFix] = []
      sensor.fixes(of: week) { fixes.append($0) }
      let found = detect(fixes).map {
        Found(
          offset: sensor.offset(of: $0.coordinate), arrival: $0.arrival.map { ($0 - WeekSensor.epoch).inSeconds },
          departure: $0.departure.map { ($0 - WeekSensor.epoch).inSeconds })
      }
      judge(found, in: week)
    }
  }

  /// The visits that the state machine detects.
  package static func detected(_ fixes: [PositionFix]) -> [Visit] {
    var machine = VisitDetector()
    _ = machine.handle(.start(resuming: nil), at: WeekSensor.start)
    var visits: [Visit] = []
    for fix in fixes {
      var actions: [VisitDetector.Action] = []
      while let deadline = machine.nextDeadline, deadline < fix.receivedAt {
        actions += machine.handle(.wake, at: deadline)
      }
      actions += machine.handle(.fix(fix), at: fix.receivedAt)
      for case .departed(let visit) in actions { visits.append(visit) }
    }
    return visits + (machine.stay.map { [$0] } ?? [])
  }

  package var recall: Double { Double(found) / Double(max(1, stays)) }
  package var inventionsAnHour: Double { Double(inventions) / max(hours, 1e-9) }
  /// Median errors in seconds.
  package var arrivalError: Double { Self.median(errors.arrival) }
  package var departureError: Double { Self.median(errors.departure) }

  /// A stay counts as found by the visit with the longest overlap, within 150 m.
  private mutating func judge(_ visits: [Found], in week: SimulatedWeek) {
    hours += week.travelled / 3600
    stays += week.stays.count
    var used: Set<Int> = []
    for stay in week.stays {
      let candidates = visits.indices.filter { index in
        let visit = visits[index]
        return !used.contains(index)
          && Math.hypot(visit.offset.eastMeters - stay.east, visit.offset.northMeters - stay.north) < 150
          && Self.overlap(visit, stay) > 0
      }
      guard let best = candidates.max(by: { Self.overlap(visits[$0], stay) < Self.overlap(visits[$1], stay) }) else {
        continue
      }
      used.insert(best)
      found += 1
      if let arrival = visits[best].arrival { errors.arrival.append(abs(arrival - stay.arrival)) }
      if let departure = visits[best].departure { errors.departure.append(abs(departure - stay.departure)) }
    }
    inventions += visits.count - used.count
  }

  private static func overlap(_ visit: Found, _ stay: SimulatedWeek.Stay) -> Double {
    min(visit.departure ?? .infinity, stay.departure) - max(visit.arrival ?? 0, stay.arrival)
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[values.count / 2]
  }
}
