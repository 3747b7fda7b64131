import Geodesy
package import Positioning
import WireFormats

extension SimulatedLife {
  /// A fictitious town, 2 km across, with 700 access points per km², one in five of which has a random address.
  package static func town(seed: UInt64, _ tuning: PositioningTuning = .standard) -> SimulatedLife {
    var random = SplitMix64(seed: seed)
    let middle = Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8))
    let frame = LocalFrame(origin: middle)
    let places = (0..<2800).compactMap { number -> AccessPointPosition? in
      let address = UInt64(number) << 20 | UInt64.random(in: 0..<(1 << 20), using: &random)
      let made: UInt64 = number % 5 == 0 ? 1 << 41 : 0
      return BSSID(rawValue: address | made).map { bssid in
        AccessPointPosition(
          bssid: bssid,
          coordinate: frame.coordinate(
            at: .init(
              eastMeters: .random(in: -1000...1000, using: &random),
              northMeters: .random(in: -1000...1000, using: &random))), radius68: Meters(20))
      }
    }
    return SimulatedLife(radio: SimulatedRadio(places, around: middle, seed: seed), extent: 500, tuning)
  }
}
