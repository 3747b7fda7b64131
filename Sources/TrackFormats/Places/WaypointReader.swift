import Geodesy

/// Reads the waypoints of a GPX file (1.0 and 1.1) from any program.
enum WaypointReader {
  /// Whether the root element is `gpx`.
  static func isGPX(_ bytes: [UInt8]) throws(PlaceListError) -> Bool {
    var scanner = XMLScanner(bytes)
    while let token = try next(of: &scanner) {
      if case .start(let name, _) = token { return name == "gpx" }
    }
    return false
  }

  static func read(_ bytes: [UInt8]) throws(PlaceListError) -> [NamedPlace] {
    var scanner = XMLScanner(bytes)
    var places: [NamedPlace] = []
    var point: (coordinate: Coordinate, name: String?, depth: Int)?
    var text = ""
    while let token = try next(of: &scanner) {
      switch token {
      case .text(let part): if point != nil, text.utf8.count < XMLScanner.maximumText { text += part }
      case .start(let name, let attributes):
        text = ""
        guard name == "wpt", point == nil else { continue }
        guard let latitude = attributes["lat"].flatMap({ Double($0) }),
          let longitude = attributes["lon"].flatMap({ Double($0) }),
          let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude)
        else { throw .waypoints(.badPoint(at: scanner.offset)) }
        point = (coordinate, nil, scanner.depth)
      case .end(let name):
        guard let found = point else { continue }
        // The scanner has already left the element: after the end of a child, its depth is that of the waypoint.
        if scanner.depth == found.depth, name == "name" {
          point?.name = text.split { $0.isWhitespace }.joined(separator: " ")
        } else if scanner.depth < found.depth {
          places.append(NamedPlace(name: found.name, coordinate: found.coordinate))
          guard places.count <= PlaceList.maximum else { throw .tooMany(most: PlaceList.maximum) }
          point = nil
        }
        text = ""
      }
    }
    return places
  }

  private static func next(of scanner: inout XMLScanner) throws(PlaceListError) -> XMLScanner.Token? {
    do throws(XMLError) {
      return try scanner.next()
    } catch {
      switch error {
      case .notXML(let offset), .tooDeep(let offset), .cutOff(let offset): throw .waypoints(.notXML(at: offset))
      case .documentType: throw .waypoints(.documentType)
      }
    }
  }
}
