import Geodesy
import LocationPolicy

/// Which sources run for the active requests.
extension ServiceCore {
  /// Plans the sources for the current requests.
  mutating func plan(at now: Instant) {
    let demands = works.map { $0.demand(isInBackground: background.contains($0.client)) }
    _ = planner.handle(.demands(demands), at: now)
  }
}
