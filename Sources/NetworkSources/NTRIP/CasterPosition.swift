package import Geodesy
import WireFormats

/// The position that a caster gets, so that it chooses or computes corrections for this place: a GGA sentence (NMEA
/// 0183 4.11, section 8.3.35).
///
/// Quality and satellites are those of the fix; what is unknown is empty. The position is cut to thousandths of a
/// minute, about two meters: a caster needs no more, and the position passes through other people's networks.
package struct CasterPosition: Hashable, Sendable {
  package let time: GNSSTime
  /// Cut to thousandths of a minute.
  package let coordinate: Coordinate
  /// GGA's indicator, 1…8; casters refuse 0.
  package let quality: Int
  package let satellitesUsed: Int?
  package let hdop: Double?
  package let heightAboveMeanSeaLevel: Meters?
  package let geoidSeparation: Meters?

  /// `nil` for a fix that is not credible: a caster gets none.
  package init?(_ fix: PositionFix) {
    guard fix.qualityFlag == nil,
      let latitude = Self.cut(fix.coordinate.latitude.degrees, to: 90),
      let longitude = Self.cut(fix.coordinate.longitude.degrees, to: 180)
    else { return nil }
    time = fix.time
    coordinate = Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
    quality = fix.ggaQuality
    satellitesUsed = fix.satellitesUsed.map { min(max($0, 0), 99) }
    hdop = fix.hdop
    heightAboveMeanSeaLevel = fix.heightAboveMeanSeaLevel
    geoidSeparation = fix.geoidSeparation
  }

  /// `$GPGGA,…*hh` CR LF. The talker is GP whatever the satellites are, because some casters refuse others.
  package var sentence: [UInt8] {
    let latitude = Self.degreesAndMinutes(coordinate.latitude.degrees, width: 2)
    let longitude = Self.degreesAndMinutes(coordinate.longitude.degrees, width: 3)
    let seconds = time.nanosecondsSinceMidnight / 10_000_000
    let clock =
      Self.digits(seconds / 360_000, 2) + Self.digits(seconds / 6000 % 60, 2) + Self.digits(seconds / 100 % 60, 2)
      + "." + Self.digits(seconds % 100, 2)
    let height = heightAboveMeanSeaLevel.flatMap { Self.decimal($0.value) }
    // Readers add the separation to the height; without a height it is of no use.
    let separation = height == nil ? nil : geoidSeparation.flatMap { Self.decimal($0.value) }
    let fields: [String] = [
      "GPGGA", clock, latitude, coordinate.latitude.degrees < 0 ? "S" : "N", longitude,
      coordinate.longitude.degrees < 0 ? "W" : "E", "\(quality)",
      satellitesUsed.map { Self.digits(Int64($0), 2) } ?? "",
      hdop.flatMap { Self.decimal($0) } ?? "", height ?? "", "M", separation ?? "", "M", "", "",
    ]
    return NMEASentence.encode(fields.joined(separator: ","))
  }

  /// The degrees, truncated to thousandths of a minute; `nil` if they are out of range.
  private static func cut(_ degrees: Double, to limit: Double) -> Double? {
    guard degrees.isFinite, degrees.magnitude <= limit else { return nil }
    let thousandths = (degrees.magnitude * 60_000).rounded(.down)
    let cut = thousandths / 60_000
    return degrees < 0 ? -cut : cut
  }

  /// `ddmm.mmm`; the degrees are already cut.
  private static func degreesAndMinutes(_ degrees: Double, width: Int) -> String {
    let thousandths = Int64((degrees.magnitude * 60_000).rounded())
    return digits(thousandths / 60_000, width) + digits(thousandths % 60_000 / 1000, 2) + "."
      + digits(thousandths % 1000, 3)
  }

  private static func digits(_ value: Int64, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }

  /// The number with one decimal; `nil` if it cannot be a height or a dilution.
  private static func decimal(_ value: Double) -> String? {
    guard value.isFinite, value.magnitude < 1e6 else { return nil }
    let tenths = Int64((value * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}
