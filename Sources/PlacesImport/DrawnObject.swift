/// What is drawn of an object on the map (wiki.openstreetmap.org, "Map features").
struct DrawnObject: Hashable, Sendable {
  /// The layers of the tiles, in the order in which they are drawn. Their names, classes and zooms are part of the page's style.
  enum Layer: UInt8, CaseIterable, Sendable {
    case land, water, waterway, building, border, rail, road, place, label

    var name: String { "\(self)" }
  }

  enum Shape: Hashable, Sendable { case point, line, polygon }

  var layer: Layer
  var shape: Shape
  /// The value of `class`.
  var kind: String
  /// The first zoom that shows it.
  var leastZoom: UInt8
  var name: String?
  /// The first zoom at which the name is shown: names keep parts of a road with different names apart, which takes room.
  var nameZoom: UInt8 = 0
  /// Larger is more important; 0: it has none.
  var rank: UInt32 = 0

  /// `nil`: it is not drawn.
  static func of(_ object: ExtractObject) -> DrawnObject? {
    switch object.kind {
    case .relation: nil
    case .node: point(object)
    case .way: object.isClosed && object["area"] != "no" ? polygon(object) ?? line(object) : line(object)
    case .area: polygon(object)
    }
  }

  // MARK: - Points

  private static let places: [String: UInt8] = [
    "city": 6, "town": 8, "village": 10, "suburb": 11, "hamlet": 12, "quarter": 12, "neighbourhood": 13,
    "isolated_dwelling": 13, "locality": 14,
  ]

  private static func point(_ object: ExtractObject) -> DrawnObject? {
    guard let name = object["name"] else { return nil }
    if let place = object["place"], let zoom = places[place] {
      let population = UInt32(clamping: min(max(object["population"].flatMap { Int($0) } ?? 0, 0), 100_000_000))
      return DrawnObject(layer: .place, shape: .point, kind: place, leastZoom: zoom, name: name, rank: population)
    }
    if object["natural"] == "peak" || object["natural"] == "volcano" {
      let height = object["ele"].flatMap { Double($0) } ?? 0
      return DrawnObject(
        layer: .label, shape: .point, kind: "peak", leastZoom: 12, name: name,
        rank: height >= 1 && height < 9000 ? UInt32(height) : 0)
    }
    let isStation = object["railway"] == "station" || object["railway"] == "halt"
    return isStation
      ? DrawnObject(layer: .label, shape: .point, kind: "station", leastZoom: 13, name: name) : nil
  }

  // MARK: - Lines

  private static let roads: [String: (kind: String, zoom: UInt8, nameZoom: UInt8)] = [
    "motorway": ("motorway", 6, 10), "motorway_link": ("motorway", 12, 14), "trunk": ("trunk", 6, 10),
    "trunk_link": ("trunk", 12, 14), "primary": ("primary", 7, 12), "primary_link": ("primary", 12, 14),
    "secondary": ("secondary", 9, 13), "secondary_link": ("secondary", 12, 14), "tertiary": ("tertiary", 10, 13),
    "tertiary_link": ("tertiary", 13, 14), "unclassified": ("minor", 12, 14), "residential": ("minor", 12, 14),
    "living_street": ("minor", 12, 14), "road": ("minor", 12, 14), "pedestrian": ("pedestrian", 13, 14),
    "service": ("service", 13, 14), "track": ("track", 13, 14), "path": ("path", 13, 14), "footway": ("path", 14, 14),
    "cycleway": ("path", 14, 14), "bridleway": ("path", 14, 14), "steps": ("path", 14, 14),
  ]

  private static func line(_ object: ExtractObject) -> DrawnObject? {
    func drawn(_ layer: Layer, _ kind: String, _ zoom: UInt8, name: String? = nil, nameZoom: UInt8 = 0) -> DrawnObject {
      DrawnObject(layer: layer, shape: .line, kind: kind, leastZoom: zoom, name: name, nameZoom: nameZoom)
    }
    if let highway = object["highway"] {
      guard let road = roads[highway], object["area"] != "yes" else { return nil }
      // Ways of parking areas and to houses have names of no interest.
      return drawn(.road, road.kind, road.zoom, name: object["name"] ?? object["ref"], nameZoom: road.nameZoom)
    }
    if let railway = object["railway"] {
      switch railway {
      case "rail" where object["service"] != nil: return drawn(.rail, "siding", 13)
      case "rail": return drawn(.rail, "rail", 8)
      case "narrow_gauge", "funicular", "light_rail": return drawn(.rail, "rail", 11)
      case "tram", "subway", "monorail": return drawn(.rail, "tram", 13)
      default: return nil
      }
    }
    if let waterway = object["waterway"] {
      switch waterway {
      case "river": return drawn(.waterway, "river", 8, name: object["name"], nameZoom: 12)
      case "canal": return drawn(.waterway, "canal", 10, name: object["name"], nameZoom: 13)
      case "stream", "ditch", "drain":
        return object["tunnel"] == nil
          ? drawn(.waterway, "stream", 13, name: object["name"], nameZoom: 14) : nil
      default: return nil
      }
    }
    if let aeroway = object["aeroway"], aeroway == "runway" || aeroway == "taxiway" {
      return drawn(.road, aeroway, aeroway == "runway" ? 10 : 12)
    }
    if object["natural"] == "coastline" { return drawn(.border, "coast", 6) }
    if object["boundary"] == "administrative", object["maritime"] != "yes" {
      switch object["admin_level"] {
      case "2": return drawn(.border, "country", 6)
      case "4": return drawn(.border, "region", 7)
      default: return nil
      }
    }
    return object["route"] == "ferry" ? drawn(.road, "ferry", 8) : nil
  }

  // MARK: - Areas

  private static let uses: [String: (kind: String, zoom: UInt8)] = [
    "landuse=forest": ("wood", 7), "natural=wood": ("wood", 7), "landuse=residential": ("residential", 9),
    "landuse=commercial": ("commercial", 10), "landuse=retail": ("commercial", 10),
    "landuse=industrial": ("industrial", 10), "landuse=railway": ("industrial", 12),
    "landuse=quarry": ("industrial", 11), "landuse=meadow": ("grass", 11), "landuse=grass": ("grass", 12),
    "natural=grassland": ("grass", 10), "natural=heath": ("grass", 10), "natural=scrub": ("scrub", 11),
    "landuse=farmland": ("farm", 10), "landuse=vineyard": ("farm", 11), "landuse=orchard": ("farm", 11),
    "landuse=allotments": ("park", 12), "landuse=cemetery": ("park", 12),
    "landuse=recreation_ground": ("park", 12), "leisure=park": ("park", 11), "leisure=garden": ("park", 13),
    "leisure=golf_course": ("park", 11), "leisure=pitch": ("pitch", 14), "leisure=stadium": ("pitch", 13),
    "natural=glacier": ("ice", 7), "natural=bare_rock": ("rock", 10), "natural=scree": ("rock", 10),
    "natural=sand": ("sand", 10), "natural=beach": ("sand", 11), "natural=wetland": ("wetland", 10),
    "amenity=parking": ("parking", 14), "amenity=school": ("school", 13), "amenity=university": ("school", 12),
    "amenity=hospital": ("school", 12), "aeroway=aerodrome": ("airport", 10), "aeroway=apron": ("parking", 12),
  ]

  private static func polygon(_ object: ExtractObject) -> DrawnObject? {
    func drawn(_ layer: Layer, _ kind: String, _ zoom: UInt8) -> DrawnObject {
      DrawnObject(layer: layer, shape: .polygon, kind: kind, leastZoom: zoom)
    }
    if let building = object["building"], building != "no" { return drawn(.building, "building", 14) }
    if object["natural"] == "water" || object["waterway"] == "riverbank" || object["landuse"] == "reservoir"
      || object["landuse"] == "basin"
    {
      return drawn(.water, "water", 6)
    }
    if object["highway"] != nil {
      // A square, and no road around one.
      return object["area"] == "yes" || object.kind == .area ? drawn(.land, "square", 14) : nil
    }
    for key in ["landuse", "natural", "leisure", "amenity", "aeroway"] {
      if let value = object[key], let use = uses["\(key)=\(value)"] { return drawn(.land, use.kind, use.zoom) }
    }
    return nil
  }

  /// The name of an area of water, at its middle.
  static func waterName(_ object: ExtractObject) -> String? {
    guard object.kind == .area || object.isClosed, object["natural"] == "water", object["water"] != "river" else {
      return nil
    }
    return object["name"]
  }
}
