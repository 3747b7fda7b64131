import Geodesy
import Regions
import TestSupport
import Testing

/// Any order of regions, fixes and restarts, compared with a model that tests every region by geodesics.
///
/// Fixes are a minute apart, so that only the newest one decides on a crossing: beyond the border by twice its radius.
@Suite struct ModelTests {
  private struct Watched {
    var region: Region
    var state: RegionState
  }

  /// Meters inside a border, negative outside.
  private func depth(_ shape: RegionShape, _ place: Coordinate) -> Double {
    switch shape {
    case .circle(let circle):
      return circle.radius.value - Geodesic.inverse(from: circle.center, to: place).distance.value
    case .polygon(let polygon):
      // Far away, the smallest possible distance is enough.
      let beyond = Geodesic.inverse(from: polygon.middle, to: place).distance.value - polygon.reach.value
      if beyond > 1000 { return -beyond }
      let corners = polygon.corners
      var least = Double.infinity
      for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
        let side = Geodesic.inverse(from: a, to: b)
        for part in 0...30 {
          let on = Geodesic.direct(from: a, course: side.initialCourse, distance: side.distance * (Double(part) / 30))
          least = min(least, Geodesic.inverse(from: place, to: on.coordinate).distance.value)
        }
      }
      return shape.contains(place) ? least : -least
    }
  }

  @Test(arguments: RandomShapes.Extent.allCases, [1] as [UInt64])
  func sameEvents(_ extent: RandomShapes.Extent, _ seed: UInt64) throws {
    var random = RandomShapes(random: SplitMix64(seed: seed))
    var monitor = RegionMonitor()
    var model: [String: Watched] = [:]
    var events = 0
    for round in 0..<500 {
      let at = PositionFix.at(Double(round) * 60, Coordinate(0, 0)).receivedAt
      let name = "\(Int.random(in: 0..<20, using: &random.random))"
      switch Int.random(in: 0..<10, using: &random.random) {
      case 0...2:
        let flags = (Bool.random(using: &random.random), Bool.random(using: &random.random))
        // Sometimes the same border is added again.
        let kept = Int.random(in: 0..<3, using: &random.random) == 0 ? model[name]?.region.shape : nil
        let region = try Region(
          identifier: name, shape: try kept ?? random.shape(extent), notifiesOnEntry: flags.0, notifiesOnExit: flags.1)
        #expect(monitor.handle(.add(region), at: at) == [])
        model[name] = Watched(region: region, state: kept == nil ? .unknown : model[name]?.state ?? .unknown)
      case 3:
        #expect(monitor.handle(.remove(name), at: at) == [])
        model[name] = nil
      case 4:
        monitor = try RegionFile.decode(RegionFile.encode(monitor).span)
      case 5:
        #expect(monitor.handle(.requestState(name), at: at) == [.state(name, model[name]?.state)])
      default:
        let radius = random.number(0.5...20)
        let place = random.place(extent)
        // Where the sampled border and the bounds of the index may differ, nothing is checked.
        let depths = model.mapValues { depth($0.region.shape, place) }
        let (margin, sure) = (max(3, 1.25 * radius), max(3, 2 * radius))
        func isClear(_ depth: Double, _ limit: Double) -> Bool {
          abs(abs(depth) - limit) > 0.1 * limit + 0.02 * abs(depth)
        }
        guard depths.values.allSatisfy({ abs($0) > 3 * sure || isClear($0, margin) && isClear($0, sure) }) else {
          continue
        }
        var expected: Set<String> = []
        for (name, watched) in model {
          guard let depth = depths[name] else { continue }
          let there: RegionState = depth >= 0 ? .inside : .outside
          if watched.state == .unknown {
            guard abs(depth) >= margin else { continue }
            expected.insert("determined \(name) \(there)")
          } else {
            guard there != watched.state, abs(depth) >= sure else { continue }
            let isWanted = there == .inside ? watched.region.notifiesOnEntry : watched.region.notifiesOnExit
            expected.insert("crossed \(name) \(there) \(isWanted)")
          }
          model[name]?.state = there
        }
        let fix = PositionFix.at(Double(round) * 60, place, radius: radius, speed: 1, course: 0)
        let reported = monitor.handle(.fix(fix), at: at).map { action in
          switch action {
          case .crossed(let crossing): "crossed \(crossing.identifier) \(crossing.state) \(crossing.isWanted)"
          case .determined(let name, let state): "determined \(name) \(state)"
          case .state, .undecided: "\(action)"
          }
        }
        #expect(reported.count == Set(reported).count)
        #expect(Set(reported) == expected, "round \(round)")
        events += reported.count
      }
    }
    #expect(events > 30)
    #expect(monitor.count == model.count)
  }
}
