import Geodesy
import Regions

/// The method of most programs: each fix lies inside the region or does not.
struct NaiveTeller {
  let shapes: [String: CircleShape]
  private var inside: [String: Bool] = [:]

  init(shapes: [String: CircleShape]) { self.shapes = shapes }

  mutating func handle(_ fix: PositionFix) -> [RegionMonitor.Action] {
    shapes.compactMap { identifier, circle in
      let distance = Geodesic.inverse(from: circle.center, to: fix.coordinate).distance
      let isInside = distance <= circle.radius
      let was = inside.updateValue(isInside, forKey: identifier)
      let state: RegionState = isInside ? .inside : .outside
      guard let was else { return .determined(identifier, state) }
      guard was != isInside else { return nil }
      return .crossed(RegionCrossing(identifier: identifier, state: state, time: fix.time, isWanted: true))
    }
  }
}
