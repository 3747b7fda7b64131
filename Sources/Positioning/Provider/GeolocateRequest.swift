package import Geodesy
import WireFormats

/// A question to a provider: which access points are heard, in the form of Google's and Ichnaea's `geolocate`
/// (developers.google.com/maps/documentation/geolocation/requests-geolocation; ichnaea.readthedocs.io, api/geolocate), which
/// BeaconDB takes too.
///
/// Told are addresses that a maker has given, signals, ages and channels. An address that the access point has made up itself is
/// some telephone's too often, and it may follow a person; names are not known here at all.
package struct GeolocateRequest: Hashable, Sendable {
  /// Fewer say nothing: providers refuse them, so that nobody follows a single one.
  package static let leastCount = 2
  /// Ichnaea looks at no more.
  package static let mostCount = 20

  /// Strongest first.
  package let sightings: [AccessPointSighting]
  private let askedAt: Instant

  /// `nil` where too few may be told.
  package init?(_ sightings: some Sequence<AccessPointSighting>, at now: Instant) {
    var newest: [BSSID: AccessPointSighting] = [:]
    for sighting in sightings where Self.mayBeTold(sighting.bssid) {
      if let other = newest[sighting.bssid], other.heardAt >= sighting.heardAt { continue }
      newest[sighting.bssid] = sighting
    }
    guard newest.count >= Self.leastCount else { return nil }
    self.sightings = Array(newest.values.sorted { Self.rank($0) > Self.rank($1) }.prefix(Self.mostCount))
    askedAt = now
  }

  static func mayBeTold(_ bssid: BSSID) -> Bool { bssid.isIndividual && !bssid.isLocallyAdministered }

  private static func rank(_ sighting: AccessPointSighting) -> (Double, BSSID) {
    (sighting.signalDecibelMilliwatts ?? -.infinity, sighting.bssid)
  }

  /// Its JSON. The position is to be the radio's, and never that of the address from which it is asked.
  package var body: [UInt8] {
    let points = sightings.map { sighting in
      var fields = ["\"macAddress\":\"\(sighting.bssid)\""]
      if let signal = sighting.signalDecibelMilliwatts { fields.append("\"signalStrength\":\(Int(signal.rounded()))") }
      let age = max(.zero, askedAt - sighting.heardAt)
      fields.append("\"age\":\(Int((age.inSeconds * 1000).rounded()))")
      if let frequency = sighting.frequencyMegahertz {
        // A channel's number is another one's on 6 GHz; the frequency is Ichnaea's own field.
        fields.append(Self.channel(frequency).map { "\"channel\":\($0)" } ?? "\"frequency\":\(frequency)")
      }
      return "{" + fields.joined(separator: ",") + "}"
    }
    return Array("{\"considerIp\":false,\"wifiAccessPoints\":[\(points.joined(separator: ","))]}".utf8)
  }

  /// The number of a channel of 2.4 or 5 GHz (IEEE 802.11-2020, 17.3.8.4.2 and 15.4.4.3).
  static func channel(_ megahertz: Int) -> Int? {
    switch megahertz {
    case 2484: 14
    case 2412...2472 where (megahertz - 2407) % 5 == 0: (megahertz - 2407) / 5
    case 5160...5885 where megahertz % 5 == 0: (megahertz - 5000) / 5
    default: nil
    }
  }
}
