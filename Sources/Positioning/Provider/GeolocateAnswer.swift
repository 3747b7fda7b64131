package import Geodesy

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
