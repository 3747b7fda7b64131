import Geodesy

/// Fixes as GPX 1.1 (topografix.com/GPX/1/1): one fix as a waypoint, a stream as a track.
package enum GPXFormat {
  /// A document with one waypoint.
  package static func document(_ located: LocatedFix) -> [UInt8] {
    Array("\(header)\(point(located, element: "wpt", indentation: "  "))</gpx>\n".utf8)
  }

  /// What stands before the first point of a track.
  package static let trackStart = Array("\(header)  <trk>\n    <trkseg>\n".utf8)
  /// What closes a track.
  package static let trackEnd = Array("    </trkseg>\n  </trk>\n</gpx>\n".utf8)
  /// Fixes were lost: nothing says how the next point was reached, so it starts a segment of its own.
  package static let gap = Array("    </trkseg>\n    <trkseg>\n".utf8)

  /// One point of a track.
  package static func trackPoint(_ located: LocatedFix) -> [UInt8] {
    Array(point(located, element: "trkpt", indentation: "      ").utf8)
  }

  private static let header = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="locationctl" xmlns="http://www.topografix.com/GPX/1/1">

    """

  /// A `wptType`; its elements are a sequence, so that their order is the schema's.
  private static func point(_ located: LocatedFix, element: String, indentation: String) -> String {
    let fix = located.fix
    guard let latitude = FixedDecimal.text(fix.coordinate.latitude.degrees, decimals: 9, minimum: 7),
      let longitude = FixedDecimal.text(fix.coordinate.longitude.degrees, decimals: 9, minimum: 7)
    else { return "" }
    var text = "\(indentation)<\(element) lat=\"\(latitude)\" lon=\"\(longitude)\">\n"
    func add(_ name: String, _ value: String?) {
      guard let value else { return }
      text += "\(indentation)  <\(name)>\(escaped(value))</\(name)>\n"
    }
    add("ele", located.altitude.flatMap { FixedDecimal.text($0, decimals: 3, minimum: 2) })
    add("time", Timestamp(fix.time)?.iso8601)
    add("geoidheight", located.geoidSeparation.flatMap { FixedDecimal.text($0, decimals: 3, minimum: 2) })
    add("desc", description(located))
    add("src", fix.device)
    add("fix", solution(fix.kind))
    add("sat", fix.satellitesUsed.map { String(max(0, $0)) })
    return text + "\(indentation)</\(element)>\n"
  }

  /// What GPX has no element for and a reader must know.
  private static func description(_ located: LocatedFix) -> String? {
    var parts: [String] = []
    if let radius = FixedDecimal.text(located.fix.horizontalRadius68.value, decimals: 2) {
      parts.append("within \(radius) m (68 %)")
    }
    if located.isCached { parts.append("last known") }
    if let suspicion = located.fix.suspicion { parts.append("suspect: \(suspicion.contractName)") }
    if located.fix.isSimulated { parts.append("simulated") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// `fixType`; GPX has no word for an estimate.
  private static func solution(_ kind: FixKind) -> String? {
    switch kind {
    case .estimated: nil
    case .twoDimensional: "2d"
    case .threeDimensional: "3d"
    case .differential, .rtkFloat, .rtkFixed: "dgps"
    }
  }

  /// XML 1.0 §2.2 and §2.4; what XML cannot hold at all has no place in a terminal either.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in TerminalText.sanitized(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
