import WireFormats

/// How to convert positions in the datum that a talker names (DTM) to WGS 84.
struct DatumReference: Hashable, Sendable {
  /// Offsets to subtract from a received latitude and longitude, 1e-9 degrees.
  var latitudeOffsetNanodegrees: Int64 = 0
  var longitudeOffsetNanodegrees: Int64 = 0
  /// Position error that remains after the offset is applied, in meters (68 %); 0 if the result is in WGS 84 or PZ-90.
  var errorMeters = 0.0
  /// Whether heights above the datum's ellipsoid equal those above WGS 84's.
  var sharesEllipsoid = true

  static let wgs84 = DatumReference()

  init() {}

  init(_ dtm: DTM) {
    let reference = Self.error(of: dtm.reference ?? .wgs84)
    sharesEllipsoid = dtm.local == nil || dtm.local == .wgs84
    guard let latitude = dtm.latitudeOffsetNanodegrees, let longitude = dtm.longitudeOffsetNanodegrees,
      latitude != 0 || longitude != 0
    else {
      // The offset is zero or was not filled in.
      errorMeters = max(reference, Self.error(of: dtm.local ?? .wgs84))
      return
    }
    sharesEllipsoid = false
    (latitudeOffsetNanodegrees, longitudeOffsetNanodegrees) = (latitude, longitude)
    errorMeters = reference
  }

  /// How far a datum lies off WGS 84: the earth-centered ones up to 20 m, regional ones up to a kilometer, most of them less
  /// than half of that (NGA.STND.0036, WGS 84, appendices on datum shifts).
  private static func error(of datum: DTM.Datum) -> Double {
    switch datum {
    case .wgs84, .pz90: 0
    case .wgs72, .sgs85: 20
    case .other: 500
    }
  }
}

/// The datums of the talkers on one line. All satellite receivers count as one talker, whatever two letters each sentence has;
/// plotters and instruments count as another.
struct DatumReferences: Sendable {
  private var receivers = DatumReference.wgs84
  private var others = DatumReference.wgs84

  mutating func update(_ dtm: DTM, from talker: Talker) {
    if talker == .other { others = DatumReference(dtm) } else { receivers = DatumReference(dtm) }
  }

  /// The datum that a sentence refers to.
  func reference(of message: NMEAMessage, from talker: Talker) -> DatumReference {
    // Proprietary sentences have no talker.
    if case .pubxPosition = message { return receivers }
    if case .ggk = message { return receivers }
    return talker == .other ? others : receivers
  }
}
