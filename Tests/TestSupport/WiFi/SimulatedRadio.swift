package import Geodesy
package import Positioning
package import WireFormats

/// The access points that a radio receives: the power decreases with the logarithm of the distance, and shadowing is normally
/// distributed.
package struct SimulatedRadio: Sendable {
  /// The true state of an access point.
  package struct Station: Sendable {
    package var bssid: BSSID
    /// Meters east and north of the center.
    package var place: SIMD2<Double>
    /// In dBm at one meter: 20 dBm minus 40 dB for that meter, minus a wall of 15 dB, with 4 dB for different antennas.
    package var power: Double
  }

  package static let shadowing = 6.0
  package static let threshold = -90.0
  /// The duration of a scan of both bands, in seconds.
  package static let scan = 4.6
  /// Share of the beacons that do not collide with others.
  package static let received = 0.8
  /// The number of access points that a driver keeps.
  package static let greatestCount = 64

  package private(set) var stations: [Station]
  package let frame: LocalFrame

  package init(_ places: [AccessPointPosition], around middle: Coordinate, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let frame = LocalFrame(origin: middle)
    self.frame = frame
    stations = places.map { place in
      let offset = frame.offset(of: place.coordinate)
      return Station(
        bssid: place.bssid, place: SIMD2(offset.eastMeters, offset.northMeters), power: -35 + 4 * random.nextNormal())
    }
  }

  /// Moves this share of all access points to the places of others.
  package mutating func move(share: Double, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for index in stations.indices where Double.random(in: 0..<1, using: &random) < share {
      stations[index].place = (stations.randomElement(using: &random) ?? stations[index]).place
    }
  }

  /// Replaces this share of all access points with new ones at the same places, with new addresses.
  package mutating func replace(share: Double, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for index in stations.indices where Double.random(in: 0..<1, using: &random) < share {
      let address = stations[index].bssid.rawValue ^ 0x00FF_0000_0000 ^ UInt64.random(in: 1..<(1 << 24), using: &random)
      stations[index].bssid = BSSID(rawValue: address) ?? stations[index].bssid
    }
  }

  /// The strongest access points that are received along the track in the seconds before `seconds`.
  package func scan(
    _ way: SimulatedStreets, at seconds: Double, exponent: Double, startingAt start: Instant,
    using random: inout SplitMix64
  ) -> [AccessPointObservation] {
    let here = way.place(at: seconds)
    // Beyond this distance, not even three standard deviations of shadowing and power bring the signal above the threshold.
    let reach = Math.exp((-35 + 21 - Self.threshold) / (10 * exponent) * 2.302_585) + Self.scan * way.speed
    var received: [AccessPointObservation] = []
    for station in stations {
      let apart = station.place - here
      guard abs(apart.x) < reach, abs(apart.y) < reach else { continue }
      let age = Double.random(in: 0..<Self.scan, using: &random)
      let step = station.place - way.place(at: seconds - age)
      let distance = max(1, (step.x * step.x + step.y * step.y).squareRoot())
      let signal = station.power - exponent * 4.342_945 * Math.log(distance) + Self.shadowing * random.nextNormal()
      guard signal > Self.threshold, Double.random(in: 0..<1, using: &random) < Self.received else { continue }
      received.append(
        AccessPointObservation(
          bssid: station.bssid, signalDecibelMilliwatts: signal.rounded(), frequencyMegahertz: 2437,
          receivedAt: start + .nanoseconds(Int64((seconds - age) * 1e9))))
    }
    let strongest = received.sorted {
      ($0.signalDecibelMilliwatts ?? 0, $0.bssid) > ($1.signalDecibelMilliwatts ?? 0, $1.bssid)
    }
    return Array(strongest.prefix(Self.greatestCount))
  }

  package func coordinate(of place: SIMD2<Double>) -> Coordinate {
    frame.coordinate(at: .init(eastMeters: place.x, northMeters: place.y))
  }
}

extension SplitMix64 {
  /// A normally distributed number, by the Box–Muller method.
  package mutating func nextNormal() -> Double {
    let radius = (-2 * Math.log(Double.random(in: Double.leastNonzeroMagnitude..<1, using: &self))).squareRoot()
    return radius * Math.cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }
}
