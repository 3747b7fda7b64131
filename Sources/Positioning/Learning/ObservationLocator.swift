package import Geodesy
package import WireFormats

/// An observation of an access point, with the place at which it was made, from the track.
package struct LocatedObservation: Hashable, Sendable {
  package var bssid: BSSID
  /// Where the machine received it.
  package var coordinate: Coordinate
  /// 68 % radius of that, > 0.
  package var radius68: Meters
  /// The distance from there to the access point, by its signal.
  package var distance: SignalDistance
  /// The day, by the fix, since 1970-01-01 (UTC).
  package var day: Int

  package init(bssid: BSSID, coordinate: Coordinate, radius68: Meters, distance: SignalDistance, day: Int) {
    self.bssid = bssid
    self.coordinate = coordinate
    self.radius68 = radius68
    self.distance = distance
    self.day = day
  }
}

/// Determines where observations were made: accepts fixes and observations in any order, and returns each usable
/// observation once, with its place.
///
/// An observation waits for the first fix after it, so that its place lies between two fixes. The signal and the local path loss
/// then give the distance to the access point. `PositioningTuning.Observing` bounds the memory.
package struct ObservationLocator: Sendable {
  private let tuning: PositioningTuning.Observing
  private let learning: PositioningTuning.Learning
  private var pathLoss: PathLossEstimate
  private var track = TrackMemory()
  private var waiting: [AccessPointObservation] = []
  /// Where and when each access point was last learned.
  private var last: [BSSID: (instant: Instant, coordinate: Coordinate)] = [:]

  package init(_ tuning: PositioningTuning = .standard) {
    self.tuning = tuning.observing
    learning = tuning.learning
    pathLoss = PathLossEstimate(tuning.learning)
  }

  /// Adds a fix. Only a satellite fix without a quality flag is used for learning; the caller decides whether a simulated one
  /// may be.
  package mutating func handle(_ fix: PositionFix) -> [LocatedObservation] {
    guard fix.technologies.contains(.gnss), fix.qualityFlag == nil, let date = fix.time.date else { return [] }
    track.append(
      TrackMemory.Point(
        instant: fix.receivedAt, coordinate: fix.coordinate, radius68: fix.horizontalRadius68.value,
        speed: fix.speedMetersPerSecond ?? PositionFix.assumedSpeedMetersPerSecond, day: date.daysSince1970), tuning)
    return placeWaiting()
  }

  /// Adds the result of a scan. Ignores repeated observations: the kernel lists an access point for 30 s.
  package mutating func handle(_ observations: [AccessPointObservation]) -> [LocatedObservation] {
    let new = observations.filter {
      $0.bssid.isIndividual && $0.receivedAt > (last[$0.bssid]?.instant ?? .init(nanoseconds: .min))
    }
    pathLoss.add(new.compactMap(\.signalDecibelMilliwatts))
    waiting += new
    // The oldest are the farthest from the next fix.
    if waiting.count > tuning.waiting { waiting.removeFirst(waiting.count - tuning.waiting) }
    return placeWaiting()
  }

  /// Places those that have a fix after them.
  private mutating func placeWaiting() -> [LocatedObservation] {
    guard let now = track.last else { return [] }
    let ready = waiting.filter { $0.receivedAt <= now }
    guard !ready.isEmpty else { return [] }
    waiting.removeAll { $0.receivedAt <= now }
    let observations = ready.compactMap { locate(of: $0) }
    forget()
    return observations
  }

  private mutating func locate(of observation: AccessPointObservation) -> LocatedObservation? {
    guard let place = track.place(at: observation.receivedAt, tuning), isUsable(place), isNew(observation, at: place)
    else {
      return nil
    }
    last[observation.bssid] = (observation.receivedAt, place.coordinate)
    return LocatedObservation(
      bssid: observation.bssid, coordinate: place.coordinate, radius68: Meters(place.radius68),
      distance: SignalDistance(
        signal: signal(of: observation), threshold: pathLoss.threshold, exponent: pathLoss.exponent, learning),
      day: place.day)
  }

  private func isNew(_ observation: AccessPointObservation, at place: TrackMemory.Place) -> Bool {
    guard let last = last[observation.bssid] else { return true }
    let since = (observation.receivedAt - last.instant).inSeconds
    let way = LocalFrame(origin: last.coordinate).offset(of: place.coordinate).length.value
    return since > 0 && (way >= tuning.spacing || since >= tuning.repetition)
  }

  private func isUsable(_ place: TrackMemory.Place) -> Bool {
    place.radius68 <= tuning.greatestRadius && place.age < tuning.greatestAge && place.speed < tuning.greatestSpeed
  }

  private func signal(of observation: AccessPointObservation) -> Double {
    let signal = observation.signalDecibelMilliwatts ?? tuning.assumedSignal
    return min(tuning.signals.upperBound, max(tuning.signals.lowerBound, signal))
  }

  /// Removes the older half of the last learned places if there are too many.
  private mutating func forget() {
    guard last.count > tuning.remembered else { return }
    let instants = last.values.map(\.instant).sorted()
    let middle = instants[instants.count / 2]
    last = last.filter { $0.value.instant > middle }
  }
}

/// The distance of an access point received at this strength: its logarithm is normally distributed, and cut off where the signal
/// would be too weak to be received.
///
/// The model is the solver's (`PathLossPosterior`): s = P − 10 n log₁₀ d + e. A distant access point is received only if e happens
/// to lift it over the threshold, so that it seems nearer than it is. The likelihood of a signal that *was* received,
/// N(s; d) / P[s > T | d], does not have that bias, but ignores the many places where the access point was not received; with a
/// share of the divisor, `selection`, both count.
package struct SignalDistance: Hashable, Sendable {
  /// Natural logarithm of the distance in meters: its median, and its standard deviation.
  package var logMeters: Double
  package var deviation: Double
  /// Logarithm of the distance at which half of all signals are too weak to be received; ≥ `logMeters`.
  package var logReach: Double
  /// Greatest distance with any exponent, meters.
  package var limit: Double

  /// - Parameters:
  ///   - signal: dBm.
  ///   - threshold: weaker signals are not received, dBm.
  ///   - exponent: the local path loss exponent.
  package init(
    signal: Double, threshold: Double, exponent: Double, _ tuning: PositioningTuning.Learning = .init()
  ) {
    let slope = exponent * PathLossPosterior.decibelsPerE
    logMeters = (tuning.power - signal) / slope
    deviation = Math.hypot(tuning.shadowing / slope, tuning.exponentError * logMeters)
    let least = tuning.exponents.lowerBound * PathLossPosterior.decibelsPerE
    limit = Math.exp((tuning.power - signal + 4 * tuning.shadowing) / least)
    logReach = (tuning.power - min(signal, threshold)) / slope
  }

  /// Greatest distance with the local exponent, meters.
  var farthest: Double { Math.exp(logReach + 3 * deviation) }

  /// Log of the likelihood of a distance, up to a constant.
  func logLikelihood(ofLog log: Double, selection: Double) -> Double {
    let off = (log - logMeters) / deviation
    return -off * off / 2 - selection * Self.logOfNormal((logReach - log) / deviation)
  }

  /// Log of the normal distribution function; far out by the first term of its tail, which is 0.04 too high at five deviations
  /// (Abramowitz, Stegun, 26.2.12).
  static func logOfNormal(_ x: Double) -> Double {
    guard x > -5 else { return -x * x / 2 - Math.log(-x * (2 * Double.pi).squareRoot()) }
    return Math.log((1 + Math.erf(x * 0.5.squareRoot())) / 2)
  }
}
