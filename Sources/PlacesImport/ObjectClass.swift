import PlacesStore

/// What an object means for places (wiki.openstreetmap.org, "Map features").
enum ObjectClass {
  /// Nodes and ways with one of these keys are read.
  static let keys = ExtractReader.Keys(
    nodes: placeKeys + ["natural"],
    ways: [
      "addr:housenumber", "addr:interpolation", "highway", "place", "boundary", "natural", "landuse", "building",
      "waterway", "route",
    ] + interestKeys,
    areas: [
      "addr:housenumber", "place", "boundary", "natural", "landuse", "ISO3166-1", "ISO3166-2", "building", "waterway",
    ] + interestKeys)

  /// The keys of nodes that are places; the others are only drawn.
  private static let placeKeys = ["addr:housenumber", "place"] + interestKeys

  /// Whether a node is no place, and is only drawn on the map.
  static func isDrawnOnly(_ object: ExtractObject) -> Bool {
    object.kind == .node && object["natural"] != nil && !placeKeys.contains { object[$0] != nil }
  }

  /// The keys of points of interest.
  private static let interestKeys = [
    "amenity", "shop", "tourism", "leisure", "historic", "railway", "aeroway", "public_transport", "office",
    "healthcare",
    "craft",
  ]

  /// Values of these keys that are no destination, or that are named after something else.
  private static let dull: Set<String> = [
    "amenity=parking_space", "amenity=bench", "amenity=waste_basket", "amenity=parking_entrance", "railway=rail",
    "railway=tram", "railway=subway", "railway=switch", "railway=signal", "railway=level_crossing", "railway=crossing",
    "railway=light_rail", "railway=narrow_gauge", "railway=abandoned", "railway=disused", "railway=platform",
    "aeroway=runway", "aeroway=taxiway", "aeroway=parking_position", "aeroway=gate", "public_transport=stop_position",
    "public_transport=platform", "tourism=information", "leisure=pitch",
  ]

  /// "amenity=cafe"; `nil`: no point of interest.
  static func interest(_ object: ExtractObject) -> String? {
    for key in interestKeys {
      guard let value = object[key], value != "no", value != "yes" || key == "office" else { continue }
      let text = "\(key)=\(value)"
      if !dull.contains(text) { return text }
    }
    return object["natural"] == "peak" ? "natural=peak" : nil
  }

  /// Named grounds and waters that contain positions.
  static func ground(_ object: ExtractObject) -> PlacesFormat.FeatureKind? {
    if let natural = object["natural"], ["water", "bay", "strait"].contains(natural) { return .water }
    if let boundary = object["boundary"], ["national_park", "protected_area"].contains(boundary) { return .ground }
    if let landuse = object["landuse"], ["cemetery", "recreation_ground", "military"].contains(landuse) {
      return .ground
    }
    return nil
  }

  /// Whether a named way of this kind is a street that addresses may be in.
  static func isStreet(_ highway: String) -> Bool {
    !["platform", "bus_stop", "proposed", "construction", "raceway", "corridor", "elevator", "rest_area", "services"]
      .contains(highway)
  }

  /// How important a town is: larger is more important. `nil`: no town.
  static func townRank(_ place: String) -> Int? {
    switch place {
    case "city": 5
    case "town": 4
    case "municipality", "borough": 3
    case "village": 2
    case "hamlet": 1
    default: nil
    }
  }

  static func isQuarter(_ place: String) -> Bool { ["suburb", "quarter", "neighbourhood"].contains(place) }

  /// The distance within which a town without an area takes addresses, meters, by its rank.
  static func reach(ofRank rank: Int) -> Double {
    switch rank {
    case 5: 12_000
    case 4: 6000
    case 3: 4000
    case 2: 3000
    default: 1500
    }
  }

  /// What administrative areas of a level are (wiki.openstreetmap.org/wiki/Tag:boundary=administrative, the table of levels).
  static func area(level: Int, country: String) -> PlacesFormat.FeatureKind? {
    if level == 2 { return .country }
    let town = townLevels[country] ?? 8
    if level == town { return .town }
    if level > town { return level <= 11 ? .quarter : nil }
    return [3, 4, 6, 7].contains(level) || level == 5 && country == "FR" ? .region : nil
  }

  /// The level of towns where it is not 8.
  static let townLevels = [
    "AD": 7, "PT": 7, "JP": 7, "LU": 8, "MC": 8, "BR": 8, "TR": 6, "SI": 7, "GR": 7, "EE": 7, "LV": 7,
  ]
}
