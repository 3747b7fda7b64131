package import Geodesy
import WireFormats

/// A position from what the radio hears and where that is.
///
/// `Cluster` leaves those out that are kilometres off; the mean of `PathLossPosterior` over a coarse and then a fine grid is the
/// answer, its spread the radius.
package struct WiFiSolver: Sendable {
  private let tuning: PositioningTuning.Solving

  /// R68 / σ of a normal error in two axes, √(−2 ln 0.3173).
  static let radiusOfDeviation = 1.515_194_760_017_979_8

  package init(_ tuning: PositioningTuning = .standard) { self.tuning = tuning.solving }

  /// Where the radio is; `nil` where no place of what it heard of late is known, or they contradict each other.
  ///
  /// - Parameters:
  ///   - sightings: in any order; of one access point the newest counts.
  ///   - places: of any of these access points, in any order.
  ///   - now: sightings are as old as that.
  ///   - speed: how fast it goes, m/s; `nil`: nobody knows.
  package func solve(
    _ sightings: some Sequence<AccessPointSighting>, places: some Sequence<AccessPointPlace>, at now: Instant,
    speedMetersPerSecond speed: Double? = nil
  ) -> WiFiPosition? {
    let known = Dictionary(places.map { ($0.bssid, $0) }) { first, _ in first }
    let all = newest(sightings, at: now)
    let heard = all.compactMap { sighting in
      known[sighting.bssid].map { (sighting: sighting, place: $0) }
    }
    .sorted { strength($0.sighting) > strength($1.sighting) }.prefix(tuning.greatestCount)
    guard let strongest = heard.first, let newest = heard.map(\.sighting.heardAt).max() else { return nil }
    let frame = LocalFrame(origin: strongest.place.coordinate)
    let points = heard.map { sighting, place in
      point(sighting, place, in: frame, age: (newest - sighting.heardAt).inSeconds, speed: speed ?? tuning.speed)
    }
    let cluster = Cluster.largest(of: points, within: tuning.greatestRange)
    guard !cluster.isEmpty else { return nil }
    let moments = moments(
      of: cluster, threshold: threshold(of: all.map(strength)), speed: speed ?? tuning.speed)
    return WiFiPosition(
      coordinate: frame.coordinate(at: .init(eastMeters: moments.mean.x, northMeters: moments.mean.y)),
      radius68: radius68(of: moments, by: cluster), heardAt: newest, count: cluster.count)
  }

  /// The newest sighting of each access point that is not too old, in order of their addresses.
  private func newest(_ sightings: some Sequence<AccessPointSighting>, at now: Instant) -> [AccessPointSighting] {
    var newest: [BSSID: AccessPointSighting] = [:]
    for sighting in sightings where (now - sighting.heardAt).inSeconds <= tuning.greatestAge {
      if let other = newest[sighting.bssid], other.heardAt >= sighting.heardAt { continue }
      newest[sighting.bssid] = sighting
    }
    return newest.values.sorted { $0.bssid < $1.bssid }
  }

  private func strength(_ sighting: AccessPointSighting) -> Double {
    sighting.signalDecibelMilliwatts ?? tuning.unknownSignal
  }

  /// What is not heard because it is weaker: where a driver tells no more than so many, the weakest of them.
  private func threshold(of signals: [Double]) -> Double {
    let weakest = signals.min() ?? tuning.threshold
    return signals.count < tuning.greatestCount ? min(weakest, tuning.threshold) : weakest
  }

  private func point(
    _ sighting: AccessPointSighting, _ place: AccessPointPlace, in frame: LocalFrame, age: Double, speed: Double
  ) -> HeardPoint {
    let offset = frame.offset(of: place.coordinate)
    let deviation = place.radius68.value / Self.radiusOfDeviation
    let way = speed * age
    let shadowing = sighting.signalDecibelMilliwatts == nil ? tuning.unknownShadowing : tuning.shadowing
    return HeardPoint(
      place: SIMD2(offset.eastMeters, offset.northMeters), variance: deviation * deviation + way * way / 2,
      radius: place.radius68.value, age: age,
      signal: strength(sighting), signalVariance: shadowing * shadowing)
  }

  private func moments(of cluster: [HeardPoint], threshold: Double, speed: Double) -> PathLossPosterior.Moments {
    let median = Cluster.geometricMedian(of: cluster, rounds: tuning.medianRounds)
    let scatter = cluster.reduce(0) { $0 + ($1.place - median).squaredLength } / Double(cluster.count)
    var posterior = PathLossPosterior(cluster, threshold: threshold, tuning)
    let width = tuning.margin + scatter.squareRoot()
    let coarse = posterior.moments(around: median, halfWidth: width, points: tuning.coarsePoints)
    if cluster.count > 2 { posterior.doubt(at: coarse.mean) }
    let fine = posterior.moments(
      around: coarse.mean, halfWidth: max(tuning.leastDistance, tuning.fineWidth * coarse.variance.squareRoot()),
      points: tuning.finePoints)
    return posterior.moved(fine, speed: speed)
  }

  private func radius68(of moments: PathLossPosterior.Moments, by cluster: [HeardPoint]) -> Meters {
    let own = tuning.radiusScale * Self.radiusOfDeviation * moments.variance.squareRoot()
    let places = tuning.placeShare * cluster.map(\.radius).sorted()[cluster.count / 2]
    let radius = Math.hypot(Math.hypot(own, places), tuning.radiusFloor)
    return Meters(min(tuning.greatestRadius, max(tuning.leastRadius, radius)))
  }
}
