import Evaluation
import Fusion
import Geodesy
import Regions
import TestSupport

/// What a monitor says of a drive among circles, beside the truth.
struct CrossingFigures {
  /// True crossings.
  var crossings = 0
  /// Told, but none there: flaps.
  var extra = 0
  /// Not told, though the way went further beyond the border than the margin that a fix's radius asks for.
  var missed = 0
  /// Not told, on ways that did not.
  var grazing = 0
  /// From the first fix after the crossing to the one that told it: seconds, and metres of way.
  var addedSeconds: [Double] = []
  var addedMeters: [Double] = []
  /// Seconds that the told time of the crossing was wrong by.
  var timeErrors: [Double] = []
  var timeless = 0

  /// An event may come so many seconds before its crossing, as noise has it.
  private let early = 15.0

  /// Of so many circles of 50 to 300 m near the way.
  mutating func take(_ drive: TrueDrive, circles: Int, seed: UInt64, isFused: Bool = false) throws {
    var random = SplitMix64(seed: seed)
    var monitor = RegionMonitor()
    var shapes: [String: CircleShape] = [:]
    for number in 0..<circles {
      guard let near = drive.truth.randomElement(using: &random) else { return }
      let radius = Double.random(in: 50...300, using: &random)
      let away = Double.random(in: 0...1.3, using: &random) * radius
      let course = Angle(degrees: Double.random(in: 0...360, using: &random))
      let center = Geodesic.direct(from: near.place, course: course, distance: Meters(away)).coordinate
      let circle = try CircleShape(center: center, radius: Meters(radius))
      shapes["\(number)"] = circle
      _ = monitor.handle(
        .add(try Region(identifier: "\(number)", shape: .circle(circle))), at: drive.fixes[0].receivedAt)
    }
    var told: [String: [(crossing: RegionCrossing, at: GNSSTime)]] = [:]
    var starts: [String: GNSSTime] = [:]
    var estimator = Estimator()
    for raw in drive.fixes {
      let fix =
        isFused ? estimator.handle(raw, at: raw.receivedAt, isRadiusTold: drive.isRadiusTold)?.causal ?? raw : raw
      for action in monitor.handle(.fix(fix), at: fix.receivedAt) {
        switch action {
        case .crossed(let crossing): told[crossing.identifier, default: []].append((crossing, fix.time))
        case .determined(let identifier, _): starts[identifier] = fix.time
        case .state: break
        }
      }
    }
    for (identifier, circle) in shapes {
      compare(told[identifier] ?? [], with: circle, drive, from: starts[identifier] ?? PositionFix.beginning)
    }
  }

  /// A way beyond a border, from one crossing to the next.
  private struct Excursion {
    var time: GNSSTime
    var isInside: Bool
    /// How far it went, in radii of the fixes that saw it.
    var deepest = 0.0
  }

  private mutating func compare(
    _ told: [(crossing: RegionCrossing, at: GNSSTime)], with circle: CircleShape, _ drive: TrueDrive,
    from start: GNSSTime
  ) {
    var excursions: [Excursion] = []
    var last: (depth: Double, time: GNSSTime)?
    let frame = LocalFrame(origin: circle.center)
    var number = 0
    for (time, place) in drive.truth where time >= start {
      // Far from the border nothing happens, and the plane is good enough.
      let flat = circle.radius.value - frame.offset(of: place).length.value
      let depth =
        abs(flat) > 200 ? flat : circle.radius.value - Geodesic.inverse(from: circle.center, to: place).distance.value
      if let last, (last.depth >= 0) != (depth >= 0) {
        let share = last.depth / (last.depth - depth)
        let step = (time - last.time).inSeconds
        excursions.append(
          Excursion(time: last.time + .seconds(step * share), isInside: depth >= 0))
      }
      // What no fix saw went nowhere.
      while number < drive.fixes.count - 1, drive.fixes[number].time < time { number += 1 }
      if !excursions.isEmpty, drive.fixes[number].time == time {
        let share = abs(depth) / drive.fixes[number].horizontalRadius68.value
        excursions[excursions.count - 1].deepest = max(excursions[excursions.count - 1].deepest, share)
      }
      last = (depth, time)
    }
    crossings += excursions.count
    guard !excursions.isEmpty || !told.isEmpty else { return }
    var isTold = [Bool](repeating: false, count: excursions.count)
    for event in told {
      // The last such crossing before the event. Where noise has told it early, the next one soon after.
      let alike = excursions.indices.filter {
        excursions[$0].isInside == (event.crossing.state == .inside) && !isTold[$0]
      }
      let nearest =
        alike.last { excursions[$0].time <= event.at }
        ?? alike.first { (excursions[$0].time - event.at).inSeconds < early }
      guard let nearest else {
        extra += 1
        continue
      }
      isTold[nearest] = true
      let excursion = excursions[nearest]
      let first = drive.fixes.first { $0.time >= excursion.time }?.time ?? event.at
      let added = max(0, (event.at - first).inSeconds)
      addedSeconds.append(added)
      addedMeters.append(drive.way(from: first, to: max(first, event.at)))
      if let time = event.crossing.time {
        timeErrors.append(abs((time - excursion.time).inSeconds))
      } else {
        timeless += 1
      }
    }
    for number in excursions.indices where !isTold[number] {
      // Coming back from a way that was not told is not told either.
      let deepest = min(
        excursions[number].deepest, number > 0 && !isTold[number - 1] ? excursions[number - 1].deepest : .infinity)
      // The way after the last fix may not have been long enough.
      if deepest < RegionTuning().margin || number == excursions.count - 1 { grazing += 1 } else { missed += 1 }
    }
  }

  static func p(_ share: Double, _ values: [Double]) -> Double {
    values.isEmpty ? 0 : Distribution.percentile(share, ofSorted: values.sorted())
  }

  var summary: String {
    func told(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
    return
      "\(crossings) crossings, \(extra) extra, \(missed) missed, \(grazing) grazing, added p50 \(told(Self.p(50, addedSeconds))) "
      + "p95 \(told(Self.p(95, addedSeconds))) s, p95 \(told(Self.p(95, addedMeters))) m, time p50 \(told(Self.p(50, timeErrors))) "
      + "p95 \(told(Self.p(95, timeErrors))) s, \(timeless) without"
  }
}
