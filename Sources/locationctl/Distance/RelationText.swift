package import Geodesy
import Regions
import TrackFormats

/// A distance and a direction for people.
package enum RelationText {
  /// `1.24 km northwest (312°); own position ±12 m`.
  package static func distance(_ relation: PlaceRelation) -> String {
    let length = length(relation.way.distance)
    guard let direction = direction(relation) else { return sentence(length, relation) }
    return sentence("\(length) \(direction.name) (\(direction.degrees))", relation)
  }

  /// `312° northwest, 1.24 km; own position ±12 m`.
  package static func bearing(_ relation: PlaceRelation) -> String {
    let length = length(relation.way.distance)
    guard let direction = direction(relation) else { return sentence(length, relation) }
    return sentence("\(direction.degrees) \(direction.name), \(length)", relation)
  }

  /// `7.3 m`, `980 m`, `1.24 km`, `12.4 km`, `124 km`.
  package static func length(_ length: Meters) -> String {
    let meters = length.value
    if meters < 999.5 { return "\(FixedDecimal.text(meters, decimals: meters < 9.95 ? 1 : 0) ?? "?") m" }
    let decimals = meters < 9995 ? 2 : meters < 99_950 ? 1 : 0
    return "\(FixedDecimal.text(meters / 1000, decimals: decimals) ?? "?") km"
  }

  /// `312°`.
  static func degrees(_ course: Angle) -> String {
    "\(FixedDecimal.direction(course.degrees, decimals: 0) ?? "?")°"
  }

  private static func direction(_ relation: PlaceRelation) -> (degrees: String, name: String)? {
    relation.bearing.map { (degrees($0), CompassPoint($0).name) }
  }

  /// The beginning of the sentence, followed by the other known facts.
  private static func sentence(_ beginning: String, _ relation: PlaceRelation) -> String {
    var parts = [beginning]
    if let region = relation.region {
      let name = TerminalText.sanitized(region.name)
      parts.append(
        "\(region.border.isInside ? "inside" : "outside") \(name), \(length(region.border.distance)) from its border")
    }
    if let origin = relation.origin { parts += remarks(origin) }
    return parts.joined(separator: "; ")
  }

  /// The facts that a reader needs about the position from which the distance was measured.
  static func remarks(_ origin: LocatedFix) -> [String] {
    var remarks = ["own position ±\(length(origin.fix.horizontalRadius68))"]
    if origin.isCached, !origin.isYoungEnough { remarks.append("from the last known position, which is not current") }
    if origin.isAccuracyMet == false { remarks.append("less accurate than requested") }
    if origin.fix.qualityFlag != nil { remarks.append("the position is suspect: see 'locationctl doctor'") }
    if origin.fix.isSimulated { remarks.append("simulated") }
    return remarks
  }
}
