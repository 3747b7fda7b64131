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

/// What a provider knows of where its question was asked.
package enum GeolocateAnswer: Hashable, Sendable {
  case place(Coordinate, radius68: Meters)
  /// It knows none of the access points, or only roughly the network that asked.
  case notFound

  /// A wider one is of a town or a network, and not of access points.
  private static let greatestRadius = 10_000.0
  /// What is claimed is not 68 %, nor the 95 % that is meant: on recorded scans BeaconDB's circle held 75 % of the truth, Ichnaea's 62 %,
  /// so that for normal errors 68 % would be 0.91 and 1.08 times what they claim. It is taken as it is, from 50 m on: BeaconDB claims no
  /// less, and both erred by more than 60 m in one case of three whatever they claimed.
  private static let leastRadius = 50.0

  /// Takes an answer apart: `{"location":{"lat":…,"lng":…},"accuracy":…}`, or status 404 with an `error` of that code.
  package init(_ answer: WebAnswer) throws(FetchProblem) {
    guard answer.isSuccess || answer.status == 404 else { throw .refused(status: answer.status) }
    guard answer.body.count <= FetchOrder.Purpose.position.longestAnswer else { throw .tooLong }
    guard let values = try? JSONScanner.values(answer.body) else {
      throw answer.isSuccess ? .nonsense : .refused(status: answer.status)
    }
    if answer.status == 404 {
      // The wrong address has a 404 of its own, which is not this one.
      guard values["error.code"] == .number(404) else { throw .refused(status: 404) }
      self = .notFound
      return
    }
    guard case .number(let latitude)? = values["location.lat"], case .number(let longitude)? = values["location.lng"],
      case .number(let accuracy)? = values["accuracy"], accuracy >= 0,
      let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude)
    else { throw .nonsense }
    // Ichnaea's word for what it has by the network's address ("ipf") or the cell's area ("lacf").
    guard accuracy <= Self.greatestRadius, values["fallback"] == nil || values["fallback"] == .other else {
      self = .notFound
      return
    }
    self = .place(coordinate, radius68: Meters(max(accuracy, Self.leastRadius)))
  }
}
