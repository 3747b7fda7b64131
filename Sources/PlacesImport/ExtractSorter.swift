import LocationDatabase
import PlacesCore
import PlacesStore

/// Sorts the objects of an extract into the temporary tables and the index of towns.
struct ExtractSorter: ~Copyable {
  private var staging: Staging
  var towns = TownIndex()
  /// How often complete areas and addresses name each country.
  private var countries: [String: Int] = [:]
  private var boundaries: [ExtractObject] = []
  private(set) var addressCount = 0

  init(_ database: borrowing Database) throws(DatabaseError) { self.init(try Staging(database)) }

  private init(_ staging: consuming Staging) { self.staging = staging }

  mutating func receive(_ object: ExtractObject) throws(DatabaseError) {
    if object.kind == .relation { return try receiveRelation(object) }
    if let number = object["addr:housenumber"] { try receiveAddress(object, number) }
    if object.kind == .way, let step = object["addr:interpolation"] {
      return try staging.putInterpolation(object, step: step)
    }
    guard let name = object["name"], name.utf8.count <= 255 else { return }
    if object.kind == .way, let highway = object["highway"] {
      if ObjectClass.isStreet(highway) {
        try staging.putRoad(object.id, name: name, names: Self.names(object, besides: name), object.points)
      }
      return
    }
    if let boundary = object["boundary"], boundary == "administrative" || boundary == "postal_code" {
      if object.kind == .area { receiveBoundary(object) }
      return
    }
    if let place = object["place"], ObjectClass.townRank(place) != nil || ObjectClass.isQuarter(place) {
      return receivePlace(object, place, name)
    }
    try receiveInterest(object, name)
  }

  private mutating func receiveRelation(_ relation: ExtractObject) throws(DatabaseError) {
    guard relation["type"] == "associatedStreet" || relation["type"] == "street" else { return }
    let name = relation["addr:street"] ?? relation["name"]
    let street = relation.members.first { $0.role == "street" && $0.kind == 1 }?.id
    guard name != nil || street != nil else { return }
    for member in relation.members where ["house", "addr:houselink", "address", "addr", ""].contains(member.role) {
      try staging.putMember(member, name: name, street: street)
    }
  }

  private mutating func receiveAddress(_ object: ExtractObject, _ number: String) throws(DatabaseError) {
    guard !HouseNumber.list(number).isEmpty else { return }
    addressCount += 1
    if let country = object["addr:country"], country.utf8.count == 2 {
      countries[country.uppercased(), default: 0] += 1
    }
    let ring = Self.firstRing(object)
    try staging.put(
      Staging.Address(
        kind: object.kind == .area ? 2 : Int64(object.kind.rawValue), object: object.id,
        number: String(number.prefix(40)),
        street: object["addr:street"] ?? object["addr:place"], town: Self.townName(object["addr:city"]),
        postcode: object["addr:postcode"],
        points: ring.isClosed ? Simplification.outline(ring.points) : Array(ring.points.prefix(1)),
        isClosed: ring.isClosed))
  }

  /// A number in place of a town is a mistake.
  private static func townName(_ text: String?) -> String? {
    guard let text, text.unicodeScalars.contains(where: { $0.properties.isAlphabetic }) else { return nil }
    return text
  }

  /// The outline of a closed way or of an area's first ring.
  private static func firstRing(_ object: ExtractObject) -> (points: [LocalPoint], isClosed: Bool) {
    switch object.kind {
    case .node, .relation: (object.points, false)
    case .way: object.isClosed ? (object.points, true) : ([object.points[object.points.count / 2]], false)
    case .area: (Array(object.points.prefix(object.rings.first ?? 0)), true)
    }
  }

  private static func rings(_ object: ExtractObject, tolerance: Double) -> [[LocalPoint]] {
    var rings: [[LocalPoint]] = []
    var start = 0
    for count in object.kind == .area ? object.rings : [object.points.count] {
      var ring = Simplification.line(Array(object.points[start..<(start + count)]), tolerance: tolerance)
      start += count
      if ring.count > 1, ring.first == ring.last { ring.removeLast() }
      if ring.count > 2 { rings.append(ring) }
    }
    return rings
  }

  private mutating func receiveBoundary(_ area: ExtractObject) {
    if let code = area["ISO3166-1:alpha2"] ?? area["ISO3166-1"], code.utf8.count == 2, area["admin_level"] == "2" {
      countries[code.uppercased(), default: 0] += 1_000_000
    } else if let code = area["ISO3166-2"], code.utf8.count > 3 {
      countries[String(code.prefix(2)), default: 0] += 1000
    }
    boundaries.append(area)
    // Outlines in full take most memory; what is kept has a third of their points.
    let last = boundaries.count - 1
    let rings = Self.rings(area, tolerance: 2)
    boundaries[last].points = rings.flatMap(\.self)
    boundaries[last].rings = rings.map(\.count)
  }

  private mutating func receivePlace(_ object: ExtractObject, _ place: String, _ name: String) {
    let isArea = object.kind == .area || object.isClosed
    guard let box = TownIndex.Box(object.points) else { return }
    let rings = isArea ? Self.rings(object, tolerance: 2) : []
    _ = towns.append(
      TownIndex.Town(
        kind: ObjectClass.isQuarter(place) ? .quarter : .town, name: name, names: Self.names(object, besides: name),
        detail: nil, point: box.center, radius: isArea ? box.radius : 0, rank: ObjectClass.townRank(place) ?? 0,
        population: min(max(object["population"].flatMap { Int($0) } ?? 0, 0), 100_000_000),
        postcode: object["addr:postcode"] ?? object["postal_code"], rings: rings, box: isArea ? box : nil))
  }

  private mutating func receiveInterest(_ object: ExtractObject, _ name: String) throws(DatabaseError) {
    guard let box = TownIndex.Box(object.points) else { return }
    let isArea = object.kind == .area || object.isClosed
    let detail = ObjectClass.interest(object)
    let ground = ObjectClass.ground(object)
    // A line is no place.
    guard isArea || object.kind == .node, detail != nil || ground != nil else { return }
    let isLarge = isArea && box.radius > 60
    let kind = ground ?? (isLarge ? .ground : .pointOfInterest)
    guard isLarge || kind == .pointOfInterest else { return }
    try staging.put(
      Staging.Interest(
        kind: kind, name: name, names: Self.names(object, besides: name), detail: detail,
        points: isLarge ? [] : isArea ? Simplification.outline(Self.firstRing(object).points) : object.points,
        isClosed: isArea && !isLarge, rings: isLarge ? Self.rings(object, tolerance: 2) : [], box: box))
  }

  /// The names in other languages, in the form of the column `names`; `nil`: none.
  static func names(_ object: ExtractObject, besides name: String) -> String? {
    var parts: [String] = []
    for tag in object.tags where parts.count < 24 && tag.value != name && !tag.value.isEmpty {
      let language: String
      if tag.key.hasPrefix("name:") {
        language = String(tag.key.dropFirst(5))
        // "name:de" and "name:zh-Hant", but neither "name:etymology" nor "name:left".
        let tag = language.split(separator: "-").first ?? ""
        guard (2...3).contains(tag.utf8.count), tag.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else { continue }
      } else if ["alt_name", "short_name", "official_name", "old_name", "loc_name"].contains(tag.key) {
        language = tag.key
      } else {
        continue
      }
      parts += tag.value.split(separator: ";").prefix(4).map { "\(language.lowercased())=\($0)" }
    }
    return parts.isEmpty ? nil : parts.joined(separator: String(PlacesFormat.nameSeparator))
  }

  /// The towns, which the sorter no longer has.
  mutating func takeTowns() -> TownIndex {
    var taken = TownIndex()
    swap(&taken, &towns)
    return taken
  }

  /// The country of most of the data by ISO 3166-1; empty if unknown. Sorts the boundaries, whose meaning depends on it.
  mutating func finish() -> String {
    let country = countries.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
    // Each boundary is released as soon as its town has its outline.
    boundaries.reverse()
    while let area = boundaries.popLast() {
      guard let name = area["boundary"] == "postal_code" ? area["postal_code"] ?? area["name"] : area["name"],
        let box = TownIndex.Box(area.points)
      else { continue }
      let kind: PlacesFormat.FeatureKind
      if area["boundary"] == "postal_code" {
        kind = .postalArea
      } else if let level = area["admin_level"].flatMap({ Int($0) }),
        let found = ObjectClass.area(level: level, country: country)
      {
        kind = found
      } else {
        continue
      }
      var (rings, start): ([[LocalPoint]], Int) = ([], 0)
      for count in area.rings {
        rings.append(Array(area.points[start..<(start + count)]))
        start += count
      }
      _ = towns.append(
        TownIndex.Town(
          kind: kind, name: name, names: Self.names(area, besides: name), detail: area["ISO3166-2"], point: box.center,
          radius: box.radius, rank: kind == .town ? 2 : 0,
          population: min(max(area["population"].flatMap { Int($0) } ?? 0, 0), 2_000_000_000),
          postcode: area["postal_code"],
          rings: rings, box: box))
    }
    towns.joinPoints()
    towns.setParents()
    return country
  }
}
