import Fusion
import Geodesy
import LocationReplay
import Regions

/// The reports of a monitor on a drive among circles, compared with the truth.
package struct CrossingFigures {
  /// The number of true crossings.
  package private(set) var crossings = 0
  /// Reported crossings that did not exist: flaps.
  package private(set) var extra = 0
  /// Crossings that were not reported, although the track went further beyond the border than the radius that the receiver
  /// reported for a fix.
  package private(set) var missed = 0
  /// Crossings that were not reported, on tracks that went further beyond the border than the radius of the estimate.
  package private(set) var missedByEstimate = 0
  /// Crossings that were not reported, on tracks that did not.
  package private(set) var grazing = 0
  /// The number of circles with a reported initial side, how many of these sides were wrong, and the number of circles without
  /// one.
  package private(set) var (begun, begunWrongly, neverBegun) = (0, 0, 0)
  /// From the first fix after the crossing to the fix with which it was reported: seconds, and meters along the track.
  package private(set) var addedSeconds: [Double] = []
  package private(set) var addedMeters: [Double] = []
  /// The errors of the reported times of crossings, in seconds.
  package private(set) var timeErrors: [Double] = []
  package private(set) var timeless = 0

  /// Because of noise, an event may come this many seconds before its crossing.
  private let early = 15.0

  /// The source of the reports.
  package enum Teller {
    /// A monitor that gets the estimator's fixes, like that of the daemon.
    case monitor
    /// A program that compares each fix with the circle, and takes the fix for true.
    case naive
  }

  package init() {}

  /// Counts the crossings of this many circles of 50 to 300 m near the track.
  package mutating func receive(_ drive: TrueDrive, circles: Int, seed: UInt64, notifier: Teller = .monitor) throws {
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
    var reported: [String: [(crossing: RegionCrossing, at: GNSSTime)]] = [:]
    var starts: [String: GNSSTime] = [:]
    func receive(_ actions: [RegionMonitor.Action], at time: GNSSTime) {
      for action in actions {
        switch action {
        case .crossed(let crossing): reported[crossing.identifier, default: []].append((crossing, time))
        case .determined(let identifier, let state):
          starts[identifier] = time
          begun += 1
          guard let circle = shapes[identifier], let truth = drive.truth.first(where: { $0.time >= time }) else {
            break
          }
          let isInside = Geodesic.inverse(from: circle.center, to: truth.place).distance <= circle.radius
          if isInside != (state == .inside) { begunWrongly += 1 }
        case .state, .undecided: break
        }
      }
    }
    var estimator = Estimator()
    var naive = NaiveTeller(shapes: shapes)
    var radii: [Double] = []
    for raw in drive.fixes {
      let fix = estimator.handle(raw, at: raw.receivedAt)?.causal ?? raw
      radii.append(fix.horizontalRadius68.value)
      switch notifier {
      case .monitor: receive(monitor.handle(.fix(fix, received: raw), at: raw.receivedAt), at: raw.time)
      case .naive: receive(naive.handle(raw), at: raw.time)
      }
    }
    neverBegun += shapes.count { starts[$0.key] == nil }
    for (identifier, circle) in shapes {
      compare(reported[identifier] ?? [], with: circle, drive, radii, from: starts[identifier] ?? drive.fixes[0].time)
    }
  }

  /// A part of the track beyond a border, from one crossing to the next.
  private struct Excursion {
    var time: GNSSTime
    var isInside: Bool
    /// How far it went, in radii of the receiver's fixes during it, and of the estimates.
    var deepest = SIMD2(0.0, 0.0)
  }

  private mutating func compare(
    _ reported: [(crossing: RegionCrossing, at: GNSSTime)], with circle: CircleShape, _ drive: TrueDrive,
    _ radii: [Double],
    from start: GNSSTime
  ) {
    var excursions: [Excursion] = []
    var last: (depth: Double, time: GNSSTime)?
    let frame = LocalFrame(origin: circle.center)
    var number = 0
    for (time, place) in drive.truth where time >= start {
      // Far from the border, there are no crossings, and the plane is precise enough.
      let flat = circle.radius.value - frame.offset(of: place).length.value
      let depth =
        abs(flat) > 200 ? flat : circle.radius.value - Geodesic.inverse(from: circle.center, to: place).distance.value
      if let last, (last.depth >= 0) != (depth >= 0) {
        let share = last.depth / (last.depth - depth)
        let step = (time - last.time).inSeconds
        excursions.append(
          Excursion(time: last.time + .seconds(step * share), isInside: depth >= 0))
      }
      // An excursion during which there was no fix has depth zero.
      while number < drive.fixes.count - 1, drive.fixes[number].time < time { number += 1 }
      if !excursions.isEmpty, drive.fixes[number].time == time {
        let radii = SIMD2(drive.fixes[number].horizontalRadius68.value, radii[number])
        excursions[excursions.count - 1].deepest = pointwiseMax(
          excursions[excursions.count - 1].deepest, abs(depth) / radii)
      }
      last = (depth, time)
    }
    crossings += excursions.count
    guard !excursions.isEmpty || !reported.isEmpty else { return }
    var isDelivered = [Bool](repeating: false, count: excursions.count)
    for event in reported {
      // The last such crossing before the event. If noise caused an early report, the next one soon after it.
      let alike = excursions.indices.filter {
        excursions[$0].isInside == (event.crossing.state == .inside) && !isDelivered[$0]
      }
      let nearest =
        alike.last { excursions[$0].time <= event.at }
        ?? alike.first { (excursions[$0].time - event.at).inSeconds < early }
      guard let nearest else {
        extra += 1
        continue
      }
      isDelivered[nearest] = true
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
    for number in excursions.indices where !isDelivered[number] {
      // The return from an excursion that was not reported is not reported either.
      let before = number > 0 && !isDelivered[number - 1] ? excursions[number - 1].deepest : SIMD2(repeating: .infinity)
      let deepest = pointwiseMin(excursions[number].deepest, before)
      // The track after the last fix may have been too short.
      let isLast = number == excursions.count - 1
      if deepest.x < 1 || isLast { grazing += 1 } else { missed += 1 }
      if deepest.y >= 1, !isLast { missedByEstimate += 1 }
    }
  }

  package static func p(_ share: Double, _ values: [Double]) -> Double {
    values.isEmpty ? 0 : Distribution.percentile(share, ofSorted: values.sorted())
  }

  package var summary: String {
    func reported(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
    return
      "\(crossings) crossings, \(extra) extra, \(missed) missed, \(grazing) grazing, added p50 \(reported(Self.p(50, addedSeconds))) "
      + "p95 \(reported(Self.p(95, addedSeconds))) s, p95 \(reported(Self.p(95, addedMeters))) m, time p50 \(reported(Self.p(50, timeErrors))) "
      + "p95 \(reported(Self.p(95, timeErrors))) s, \(timeless) without, \(begun) begun, \(begunWrongly) wrongly, \(neverBegun) never"
  }
}
