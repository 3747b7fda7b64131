import Geodesy
import LocationPolicy

/// Which sources run for what is asked.
extension ServiceCore {
  /// Looks anew at what is asked.
  mutating func plan(at now: Instant) {
    let demands = works.map { $0.demand(isInBackground: background.contains($0.client)) }
    _ = planner.handle(.demands(demands), at: now)
  }
}
