import Geodesy
package import LocationPolicy

/// Visits for people.
package enum VisitTable {
  /// Empty if there are no visits.
  ///
  /// - Parameter places: the place of each visit; `nil`: not wanted.
  package static func bytes(_ visits: [Visit], places: [String]? = nil, _ look: Presentation) -> [UInt8] {
    guard !visits.isEmpty else { return [] }
    var titles: [StyledText] = ["ARRIVAL", "DEPARTURE", "STAY", "WHERE"]
    var rows = visits.map { row($0, look) }
    if let places {
      titles.append("PLACE")
      for (index, place) in zip(rows.indices, places) {
        rows[index].append("\(TerminalText.sanitized(place, limit: 400))")
      }
    }
    return TextTable.aligned([titles] + rows, look)
  }

  private static func row(_ visit: Visit, _ look: Presentation) -> [StyledText] {
    func time(_ time: GNSSTime?, _ otherwise: StyledText) -> StyledText {
      time.flatMap { TimeText.minute($0, look) }.map { "\($0.text) \($0.zone)" } ?? otherwise
    }
    let stay = visit.arrival.flatMap { arrival in visit.departure.map { StatusTable.time($0 - arrival) } }
    return [
      time(visit.arrival, .dim("not observed")),
      time(visit.departure, visit.hasEnded ? .dim("not observed") : .good("still there")), "\(stay ?? "-")",
      "\(EventDescription.place(visit.coordinate, visit.knownHorizontalRadius68, look))\(visit.isImported ? ", imported" : "")",
    ]
  }
}
