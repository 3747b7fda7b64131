package import Geodesy

/// How well visits were found in simulated weeks.
package struct VisitScore {
  /// What a detector told; seconds from the beginning, `nil` where it does not know.
  package struct Found {
    package var offset: LocalFrame.Offset
    package var arrival, departure: Double?

    package init(offset: LocalFrame.Offset, arrival: Double?, departure: Double?) {
      (self.offset, self.arrival, self.departure) = (offset, arrival, departure)
    }
  }

  package private(set) var stays = 0
  package private(set) var found = 0
  /// Visits where nobody stayed.
  package private(set) var inventions = 0
  package private(set) var hours = 0.0
  private var errors: (arrival: [Double], departure: [Double]) = ([], [])

  package init() {}

  package var recall: Double { Double(found) / Double(max(1, stays)) }
  package var inventionsAnHour: Double { Double(inventions) / max(hours, 1e-9) }
  /// Medians, seconds.
  package var arrivalError: Double { Self.median(errors.arrival) }
  package var departureError: Double { Self.median(errors.departure) }

  /// A stay is found by the visit that overlaps it most, within 150 m.
  package mutating func judge(_ visits: [Found], in week: SimulatedWeek) {
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
