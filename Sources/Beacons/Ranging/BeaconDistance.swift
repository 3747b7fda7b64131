import Geodesy

/// How near a beacon is, in Apple's three steps.
package enum BeaconProximity: UInt8, Hashable, Comparable, Sendable {
  /// Below 0.5 m.
  case immediate = 1
  /// Below 3 m.
  case near = 2
  case far = 3

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  init(meters: Double) { self = meters < 0.5 ? .immediate : meters < 3 ? .near : .far }
}

/// The distance of one beacon from the power of its packets.
///
/// A filter (Kalman) in decibels averages fading, whose errors are symmetric there: the power wanders by 1 dB per √s, and a packet's
/// power has a standard deviation of 5 dB. The distance follows from the loss in free space with obstacles, 22 dB per decade.
struct BeaconDistance: Sendable {
  /// dB per √s, and dB.
  private static let (wander, packetDeviation) = (1.0, 5.0)
  /// dB that are lost over a tenfold distance.
  private static let decibelsPerDecade = 22.0
  /// Power at one meter of a beacon that does not state it, dBm.
  private static let usualPower = -59.0
  /// A step is left only if the distance is beyond its border by this factor, for this time.
  private static let hysteresis = 1.3
  private static let stay = Duration.seconds(2)

  private var power: Double?
  private var variance = 0.0
  private var updatedAt = Instant(nanoseconds: 0)
  private var powerAtOneMeter = usualPower
  private(set) var proximity: BeaconProximity?
  private var candidate: (step: BeaconProximity, since: Instant)?

  /// Takes the power of a packet, dBm.
  mutating func handle(power received: Double, powerAtOneMeter stated: Int8?, at now: Instant) {
    if let stated { powerAtOneMeter = Double(stated) }
    guard let power else {
      power = received
      variance = Self.packetDeviation * Self.packetDeviation
      updatedAt = now
      return
    }
    let seconds = max(0, Double((now - updatedAt).wholeNanoseconds) / 1e9)
    variance += Self.wander * Self.wander * seconds
    let gain = variance / (variance + Self.packetDeviation * Self.packetDeviation)
    self.power = power + gain * (received - power)
    variance *= 1 - gain
    updatedAt = now
  }

  /// Distance in meters: half of the true distances are below it. `nil` before the first packet.
  var meters: Double? {
    power.map { Math.exp((powerAtOneMeter - $0) / Self.decibelsPerDecade * 2.302585092994046) }
  }

  /// Decides which step the beacon is in; called once per second.
  mutating func updateProximity(at now: Instant) {
    guard let meters else { return }
    guard let current = proximity else {
      proximity = BeaconProximity(meters: meters)
      return
    }
    let isFarther = BeaconProximity(meters: meters) > current
    let next = BeaconProximity(meters: isFarther ? meters / Self.hysteresis : meters * Self.hysteresis)
    guard next != current, (next > current) == isFarther else {
      candidate = nil
      return
    }
    let since = candidate?.step == next ? candidate?.since ?? now : now
    candidate = (next, since)
    if now - since >= Self.stay {
      proximity = next
      candidate = nil
    }
  }
}
