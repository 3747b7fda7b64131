/// DTM, datum reference: which datum the positions that follow refer to (NMEA 0183 4.11, section 8.3.27).
///
/// The offsets lead from the reference datum to the local one: local position = reference position + offset. Receivers repeat
/// the sentence at least every 30 s.
package struct DTM: Hashable, Sendable {
  /// A datum, by its three-letter code.
  package enum Datum: Hashable, Sendable {
    /// W84.
    case wgs84
    /// W72.
    case wgs72
    /// S85, the Soviet geodetic system of 1985.
    case sgs85
    /// P90: PZ-90, since 2007 within half a meter of WGS 84.
    case pz90
    /// A regional datum by its IHO S-60 code, or 999: defined by the user.
    case other
  }

  /// `nil`: not known to the receiver.
  package var local: Datum?
  /// 1e-9 degrees, north positive; `nil`: not told.
  package var latitudeOffsetNanodegrees: Int64?
  /// 1e-9 degrees, east positive; `nil`: not told.
  package var longitudeOffsetNanodegrees: Int64?
  /// `nil`: not told.
  package var reference: Datum?
}
