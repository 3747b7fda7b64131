import Geodesy
import Regions

/// Regions anywhere and with any name, and files that contain them.
enum RandomRegion {
  private static let characters = Array("abc \"\\/<>&'é€🌈\u{7}\t,:{}[]0]]>-")

  static func make(_ number: Int, using random: inout some RandomNumberGenerator) throws -> Region {
    let text = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in characters.randomElement(using: &random) }
    // No two names are equal, and none has blanks at its ends, which have no meaning in XML.
    let name = "\(number)" + String(text) + "."
    if Bool.random(using: &random) {
      return try Region(
        identifier: name,
        shape: .circle(
          CircleShape(center: place(using: &random), radius: Meters(.random(in: 0.001...1e6, using: &random)))))
    }
    let start = place(using: &random)
    let corners = (0..<Int.random(in: 3...40, using: &random)).map { _ in
      Coordinate(
        latitude: Angle(degrees: min(90, max(-90, start.latitude.degrees + .random(in: -1...1, using: &random)))),
        longitude: Angle(degrees: min(180, max(-180, start.longitude.degrees + .random(in: -1...1, using: &random)))))
    }
    return try Region(identifier: name, shape: .polygon(PolygonShape(corners: corners)))
  }

  private static func place(using random: inout some RandomNumberGenerator) -> Coordinate {
    Coordinate(
      latitude: Angle(degrees: .random(in: -85...85, using: &random)),
      longitude: Angle(degrees: .random(in: -180...180, using: &random)))
  }

  static func geoJSON(_ regions: [Region]) -> String {
    let features = regions.map { region in
      let geometry =
        switch region.shape {
        case .circle(let circle): #"{"type":"Point","coordinates":[\#(pair(circle.center))]}"#
        case .polygon(let polygon):
          #"{"coordinates":[[\#(closed(polygon).map { "[\(pair($0))]" }.joined(separator: ","))]],"type":"Polygon"}"#
        }
      return
        #"{"geometry":\#(geometry),"properties":{"name":\#(quoted(region.identifier)),"radius":\#(radius(region))},"type":"Feature"}"#
    }
    return #"{"features":[\#(features.joined(separator: ",\n"))],"type":"FeatureCollection"}"#
  }

  static func kml(_ regions: [Region]) -> String {
    let placemarks = regions.map { region in
      let geometry =
        switch region.shape {
        case .circle(let circle): "<Point><coordinates>\(pair(circle.center))</coordinates></Point>"
        case .polygon(let polygon):
          "<Polygon><outerBoundaryIs><LinearRing><coordinates>\(closed(polygon).map(pair).joined(separator: "\n"))</coordinates></LinearRing></outerBoundaryIs></Polygon>"
        }
      return
        "<Placemark><name>\(escaped(region.identifier))</name><ExtendedData><Data name='radius'><value>\(radius(region))</value></Data></ExtendedData>\(geometry)</Placemark>"
    }
    return "<kml>\(placemarks.joined(separator: "\r\n"))</kml>"
  }

  private static func closed(_ polygon: PolygonShape) -> [Coordinate] { polygon.corners + polygon.corners.prefix(1) }

  private static func pair(_ place: Coordinate) -> String { "\(place.longitude.degrees),\(place.latitude.degrees)" }

  private static func radius(_ region: Region) -> Double {
    if case .circle(let circle) = region.shape { circle.radius.value } else { 1 }
  }

  /// Every character as its UTF-16 escape.
  private static func quoted(_ text: String) -> String {
    let parts = text.utf16.enumerated().map { index, unit -> String in
      let hex = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - hex.count) + (index % 3 == 0 ? hex : hex.uppercased())
    }
    return "\"\(parts.joined())\""
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "<": "&lt;"
      case "&": "&amp;"
      case ">": "&gt;"
      case "é": "&#xE9;"
      case "🌈": "&#127752;"
      default: String(scalar)
      }
    }.joined()
  }
}
