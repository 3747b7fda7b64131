package import Geodesy

/// A place of a route, and when it is passed.
package struct RoutePoint: Hashable, Sendable {
  package var time: GNSSTime
  package var position: SimulatedPosition

  package init(time: GNSSTime, position: SimulatedPosition) {
    self.time = time
    self.position = position
  }
}
