package import Fleet
import Geodesy
package import LocationPolicy
import Regions

extension FleetEvent {
  /// What a destination is told of an event; `nil`: nothing, because nothing was crossed or the place is not known.
  package init?(_ event: MonitoringEvent) {
    switch event.kind {
    case .crossed(let state):
      guard case .region(let region) = event.subject, state != .unknown, let fix = event.fix else { return nil }
      // The crossing of a border while nothing was observed, as before a start, has no time; the fix that shows it has one.
      self = .crossing(
        FleetCrossing(
          region: region, isEntry: state == .inside, time: event.time ?? fix.time,
          addedAt: GNSSTime(nanosecondsSince1970: 0),
          coordinate: fix.coordinate, radius68: fix.horizontalRadius68))
    case .arrived(let visit), .departed(let visit): self = .visit(visit)
    case .determined, .moved: return nil
    }
  }
}
