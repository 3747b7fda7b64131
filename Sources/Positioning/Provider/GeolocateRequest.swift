package import Geodesy
import WireFormats

/// A request to a provider with the received access points, in the form of Google's and Ichnaea's `geolocate`
/// (developers.google.com/maps/documentation/geolocation/requests-geolocation; ichnaea.readthedocs.io, api/geolocate), which
/// BeaconDB accepts too.
///
/// It contains universally administered addresses, signals, ages and channels. It omits locally administered addresses: too
/// often they are a phone's, and could track a person. It contains no names, because they are not known here.
package struct GeolocateRequest: Hashable, Sendable {
  /// Fewer access points are not enough: providers refuse them, to prevent the tracking of a single one.
  package static let leastCount = 2
  /// Ichnaea uses no more.
  package static let mostCount = 20

  /// Strongest first.
  package let observations: [AccessPointObservation]
  private let askedAt: Instant

  /// `nil` if too few may be sent.
  package init?(_ observations: some Sequence<AccessPointObservation>, at now: Instant) {
    var newest: [BSSID: AccessPointObservation] = [:]
    for observation in observations where Self.mayBeSent(observation.bssid) {
      if let other = newest[observation.bssid], other.receivedAt >= observation.receivedAt { continue }
      newest[observation.bssid] = observation
    }
    guard newest.count >= Self.leastCount else { return nil }
    self.observations = Array(newest.values.sorted { Self.rank($0) > Self.rank($1) }.prefix(Self.mostCount))
    askedAt = now
  }

  static func mayBeSent(_ bssid: BSSID) -> Bool { bssid.isIndividual && !bssid.isLocallyAdministered }

  private static func rank(_ observation: AccessPointObservation) -> (Double, BSSID) {
    (observation.signalDecibelMilliwatts ?? -.infinity, observation.bssid)
  }

  /// The JSON body. It asks for a position by Wi-Fi only, never by the IP address of the request.
  package var body: [UInt8] {
    let points = observations.map { observation in
      var fields = ["\"macAddress\":\"\(observation.bssid)\""]
      if let signal = observation.signalDecibelMilliwatts {
        fields.append("\"signalStrength\":\(Int(signal.rounded()))")
      }
      let age = max(.zero, askedAt - observation.receivedAt)
      fields.append("\"age\":\(Int((age.inSeconds * 1000).rounded()))")
      if let frequency = observation.frequencyMegahertz {
        // On 6 GHz, channel numbers repeat those of other bands; the frequency is Ichnaea's own field.
        fields.append(Self.channel(frequency).map { "\"channel\":\($0)" } ?? "\"frequency\":\(frequency)")
      }
      return "{" + fields.joined(separator: ",") + "}"
    }
    return Array("{\"considerIp\":false,\"wifiAccessPoints\":[\(points.joined(separator: ","))]}".utf8)
  }

  /// The channel number in the 2.4 or 5 GHz band (IEEE 802.11-2020, 17.3.8.4.2 and 15.4.4.3).
  static func channel(_ megahertz: Int) -> Int? {
    switch megahertz {
    case 2484: 14
    case 2412...2472 where (megahertz - 2407) % 5 == 0: (megahertz - 2407) / 5
    case 5160...5885 where megahertz % 5 == 0: (megahertz - 5000) / 5
    default: nil
    }
  }
}

/// A provider's answer to a request.
package enum GeolocateResponse: Hashable, Sendable {
  case place(Coordinate, radius68: Meters)
  /// The provider knows none of the access points, or only the rough location of the network address.
  case notFound

  /// A larger radius is that of a town or a network, not of access points.
  private static let greatestRadius = 10_000.0
  /// The claimed radius is neither 68 % nor the intended 95 %: on recorded scans BeaconDB's circle contained 75 % of the true
  /// positions, Ichnaea's 62 %, so that for normal errors the 68 % radius would be 0.91 and 1.08 times the claimed one. It is used
  /// as claimed, from 50 m on: BeaconDB claims no less, and both erred by more than 60 m in one case of three whatever they
  /// claimed.
  private static let leastRadius = 50.0

  /// Parses an answer: `{"location":{"lat":…,"lng":…},"accuracy":…}`, or status 404 with an `error` of that code.
  package init(_ answer: WebResponse) throws(FetchProblem) {
    guard answer.isSuccess || answer.status == 404 else { throw .refused(status: answer.status) }
    guard answer.body.count <= FetchRequest.Purpose.position.longestAnswer else { throw .tooLong }
    guard let values = try? JSONScanner.values(answer.body) else {
      throw answer.isSuccess ? .nonsense : .refused(status: answer.status)
    }
    if answer.status == 404 {
      // The 404 of a wrong address lacks this code.
      guard values["error.code"] == .number(404) else { throw .refused(status: 404) }
      self = .notFound
      return
    }
    guard case .number(let latitude)? = values["location.lat"], case .number(let longitude)? = values["location.lng"],
      case .number(let accuracy)? = values["accuracy"], accuracy >= 0,
      let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude)
    else { throw .nonsense }
    // Ichnaea's field for answers by the network's address ("ipf") or the cell's area ("lacf").
    guard accuracy <= Self.greatestRadius, values["fallback"] == nil || values["fallback"] == .other else {
      self = .notFound
      return
    }
    self = .place(coordinate, radius68: Meters(max(accuracy, Self.leastRadius)))
  }
}
