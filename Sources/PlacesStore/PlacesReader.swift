import Geodesy
import LocationDatabase
import PlacesCore

/// The connection to one file and its prepared statements, which are reused.
struct PlacesReader: ~Copyable {
  let provenance: PlaceProvenance
  let country: String
  let database: Database
  var nearby = NearbyItems()
  var nearbyBlocks: Statement
  var block: Statement
  var feature: Statement
  var areas: Statement
  var interests: Statement
  var numbers: Statement
  var matches: Statement
  var hasWord: Statement
  var wordsFrom: Statement
  var reversedFrom: Statement
  var position: Statement
  /// Towns and regions, which many answers share.
  private var known: [Int64: FeatureRow] = [:]
  private static let mostKnown = 512
  /// The words of towns and their regions, which many candidates of a search share.
  var contexts: [Int64: Set<String>] = [:]
  static let mostContexts = 256

  init(_ database: consuming Database, provenance: PlaceProvenance, country: String) throws(DatabaseError) {
    self.provenance = provenance
    self.country = country
    let box = "x1 >= ?1 AND x0 <= ?2 AND y1 >= ?3 AND y0 <= ?4"
    let nearbyBlocks = try database.prepare(
      "SELECT block.id, block.data FROM block_box JOIN block ON block.id = block_box.id WHERE \(box) LIMIT 256")
    let block = try database.prepare("SELECT data FROM block WHERE id = ?1")
    let feature = try database.prepare("SELECT \(FeatureRow.columns) FROM feature WHERE id = ?1")
    let areas = try database.prepare(
      """
      SELECT area.id, area.level, area.data FROM area_box JOIN area ON area.id = area_box.id WHERE \(box) LIMIT 256
      """)
    let interests = try database.prepare(
      """
      SELECT area.id, area.level, area.data FROM interest_box JOIN area ON area.id = interest_box.id
      WHERE \(box) LIMIT 64
      """)
    let numbers = try database.prepare("SELECT numbers FROM feature WHERE id = ?1")
    let matches = try database.prepare("SELECT rowid FROM words WHERE words MATCH ?1 LIMIT ?2")
    let hasWord = try database.prepare("SELECT 1 FROM word WHERE word = ?1")
    let wordsFrom = try database.prepare("SELECT word FROM word WHERE word >= ?1 AND word < ?2 LIMIT 4096")
    let reversedFrom = try database.prepare("SELECT word FROM reversed WHERE word >= ?1 AND word < ?2 LIMIT 4096")
    let position = try database.prepare("SELECT kind, x, y FROM feature WHERE id = ?1")
    self.nearbyBlocks = nearbyBlocks
    self.block = block
    self.feature = feature
    self.areas = areas
    self.interests = interests
    self.numbers = numbers
    self.matches = matches
    self.hasWord = hasWord
    self.wordsFrom = wordsFrom
    self.reversedFrom = reversedFrom
    self.position = position
    self.database = database
  }

  func number(_ text: String) throws(DatabaseError) -> Int64 {
    var statement = try database.prepare(text)
    guard try statement.step() else { throw .noRow(statement: text) }
    return try statement.integer(0)
  }

  /// A feature; `nil` if a damaged file refers to one that does not exist.
  mutating func row(_ id: Int64) throws(DatabaseError) -> FeatureRow? {
    if let row = known[id] { return row }
    try feature.bind(integers: id)
    guard try feature.step() else { return nil }
    let row = try FeatureRow(feature)
    if row.kind != .street, row.kind != .pointOfInterest {
      if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
      known[id] = row
    }
    return row
  }

  /// Sets the town, and the regions around it, of a place.
  mutating func addTown(_ id: Int64?, to place: inout Place, _ languages: [String]) throws(DatabaseError) {
    var next = id
    var regions: [FeatureRow] = []
    // A damaged file may have a circle of parents.
    for _ in 0..<4 {
      guard let id = next, let row = try row(id) else { break }
      switch row.kind {
      case .town: place.locality = place.locality ?? row.name(in: languages)
      case .region: regions.append(row)
      case .street, .pointOfInterest, .quarter, .postalArea, .water, .ground, .country: break
      }
      if place.postalCode == nil, row.kind == .town { place.postalCode = row.postcode }
      next = row.parent
    }
    if let state = regions.last {
      place.administrativeArea = Self.abbreviation(of: state, country) ?? state.name(in: languages)
    }
    if regions.count > 1 { place.subAdministrativeArea = regions[0].name(in: languages) }
    if !country.isEmpty { place.isoCountryCode = country }
  }

  /// States of three countries are known by their abbreviations: "US-NY" is "NY".
  private static func abbreviation(of state: FeatureRow, _ country: String) -> String? {
    guard ["US", "CA", "AU"].contains(country), let code = state.detail, code.hasPrefix(country + "-") else {
      return nil
    }
    return String(code.dropFirst(3))
  }

  /// The features of the areas that contain a point, the smallest first.
  mutating func containing(_ point: LocalPoint, interests wanted: Bool) throws(DatabaseError) -> [FeatureRow] {
    var ids: [Int64] = []
    let (x, y) = (Int64(point.x), Int64(point.y))
    if wanted {
      try interests.bind(integers: x, x, y, y)
      while try interests.step() { try Self.collect(interests, point, &ids) }
    } else {
      try areas.bind(integers: x, x, y, y)
      while try areas.step() { try Self.collect(areas, point, &ids) }
    }
    var rows: [FeatureRow] = []
    for id in ids { if let row = try row(id) { rows.append(row) } }
    return rows.sorted { ($0.radius, $0.id) < ($1.radius, $1.id) }
  }

  private static func collect(
    _ row: borrowing Statement, _ point: LocalPoint, _ ids: inout [Int64]
  ) throws(DatabaseError) {
    let isInside = try row.withBlob(2) { AreaOutline.contains(point, $0) }
    guard let isInside else { throw .value(expected: "an outline", found: "a damaged one") }
    if isInside { ids.append(try row.integer(0)) }
  }

  /// The outline of the area that matches a text best.
  mutating func area(
    named text: String, mostCorners: Int
  ) throws(DatabaseError) -> (name: String, corners: [Coordinate])? {
    for id in try featureIDs(matching: text) {
      var outline = try database.prepare("SELECT data FROM area WHERE id = ?")
      try outline.bind([.integer(id)])
      guard try outline.step(), let row = try row(id) else { continue }
      guard let ring = try outline.withBlob(0, { AreaOutline.longestRing($0) }) else {
        throw .value(expected: "an outline", found: "a damaged one")
      }
      guard ring.count >= 3 else { continue }
      return (row.name, Simplification.outline(ring, most: mostCorners).map(\.coordinate))
    }
    return nil
  }
}
