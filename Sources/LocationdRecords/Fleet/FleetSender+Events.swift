import Fleet
import FleetDestinations
import Geodesy
import LocationStore

/// The events of regions and visits.
extension FleetSender {
  /// The most regions that are sent with a position.
  private static let mostInside = 32

  /// Returns `false` if the event cannot be recorded now.
  func receive(_ happening: FleetHappening, at now: Instant) -> Bool {
    guard !store.memory.isEnding, isGranted, !filter.isGrantReduced else { return true }
    guard clock.now.time != nil else { return false }
    let event = happening.event
    guard intake.shows(event, clock.now) else { return true }
    if case .crossing(let crossing) = event {
      inside[crossing.region] =
        crossing.isEntry && inside.count < Self.mostInside && crossing.region.utf8.count <= FleetCrossing.longestName
        ? crossing.regionID : nil
    }
    // The numbers grow, except after the monitoring's database was deleted, which then has no events to repeat.
    if happening.isRepeated, happening.number <= store.lastEvent { return true }
    do throws(TrackError) {
      guard let record = try store.append(event, number: happening.number) else { return true }
      syncAt = nil
      apply(.appended(record), at: now)
      return true
    } catch {
      fail(error)
      return false
    }
  }
}
