import Geodesy
import LocationDatabase
import PlacesCore

/// A block that was read.
struct KnownBlock {
  let bytes: [UInt8]
  let entries: [SpatialBlock.Entry]
}

/// The connection to one file and its prepared statements, which are reused.
struct PlacesReader: ~Copyable {
  let provenance: PlaceProvenance
  let country: String
  let database: Database
  var nearby = NearbyItems()
  var nearbyBoxes: Statement
  var block: Statement
  var feature: Statement
  var area: Statement
  var numbers: Statement
  var matches: Statement
  var hasWord: Statement
  var wordsFrom: Statement
  var reversedFrom: Statement
  var position: Statement
  /// The blocks near a position, and the areas and grounds whose box contains it; arrays that are reused.
  var blockIDs: [Int64] = []
  var areaIDs: [Int64] = []
  var interestIDs: [Int64] = []
  /// Blocks that were read, because the next position is often near the last one: at most 1.5 kB each.
  var blocks: [Int64: KnownBlock] = [:]
  static let mostKnownBlocks = 1024
  /// The small outlines of areas that were read.
  private var outlines: [Int64: [UInt8]] = [:]
  private static let mostOutlines = 256
  private static let largestOutline = 4096
  /// Rows that many answers share: towns, regions and the streets of one neighborhood.
  private var known: [Int64: FeatureRow] = [:]
  private static let mostKnown = 2048
  /// The words of towns and their regions, which many candidates of a search share.
  var contexts: [Int64: Set<String>] = [:]
  static let mostContexts = 256

  /// A reader of an open file. No initializer that fails: Swift 6.2's compiler, with its assertions, rejects one of a type that cannot be
  /// copied and has initial values.
  static func reading(
    _ database: consuming Database, provenance: PlaceProvenance, country: String
  ) throws(DatabaseError) -> PlacesReader {
    let nearbyBoxes = try database.prepare(
      "SELECT id, x0, x1, y0, y1 FROM box WHERE x1 >= ?1 AND x0 <= ?2 AND y1 >= ?3 AND y0 <= ?4")
    let block = try database.prepare("SELECT data FROM block WHERE id = ?1")
    let feature = try database.prepare("SELECT \(FeatureRow.columns) FROM feature WHERE id = ?1")
    let area = try database.prepare("SELECT data FROM area WHERE id = ?1")
    let numbers = try database.prepare("SELECT numbers FROM feature WHERE id = ?1")
    let matches = try database.prepare("SELECT rowid FROM words WHERE words MATCH ?1 LIMIT ?2")
    let hasWord = try database.prepare("SELECT 1 FROM word WHERE word = ?1")
    let wordsFrom = try database.prepare("SELECT word FROM word WHERE word >= ?1 AND word < ?2 LIMIT 4096")
    let reversedFrom = try database.prepare("SELECT word FROM reversed WHERE word >= ?1 AND word < ?2 LIMIT 4096")
    let position = try database.prepare("SELECT kind, x, y FROM feature WHERE id = ?1")
    return PlacesReader(
      provenance: provenance, country: country, database: database, nearbyBoxes: nearbyBoxes, block: block,
      feature: feature, area: area, numbers: numbers, matches: matches, hasWord: hasWord, wordsFrom: wordsFrom,
      reversedFrom: reversedFrom, position: position)
  }

  func number(_ text: String) throws(DatabaseError) -> Int64 {
    var statement = try database.prepare(text)
    guard try statement.step() else { throw .noRow(statement: text) }
    return try statement.integer(0)
  }

  /// A feature; `nil` if a damaged file refers to one that does not exist.
  mutating func row(_ id: Int64) throws(DatabaseError) -> FeatureRow? {
    if let row = known[id] { return row }
    try feature.bind(integer: id)
    guard try feature.step() else { return nil }
    let row = try FeatureRow(feature)
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[id] = row
    return row
  }

  /// Sets the town, and the regions around it, of a place.
  mutating func addTown(_ id: Int64?, to place: inout Place, _ languages: [String]) throws(DatabaseError) {
    var next = id
    var (smallest, largest): (FeatureRow?, FeatureRow?) = (nil, nil)
    // A damaged file may have a circle of parents.
    for _ in 0..<4 {
      guard let id = next, let row = try row(id) else { break }
      switch row.kind {
      case .town: place.locality = place.locality ?? row.name(in: languages)
      case .region: if smallest == nil { smallest = row } else { largest = row }
      case .street, .pointOfInterest, .quarter, .postalArea, .water, .ground, .country: break
      }
      if place.postalCode == nil, row.kind == .town { place.postalCode = row.postcode }
      next = row.parent
    }
    if let state = largest ?? smallest {
      place.administrativeArea = Self.abbreviation(of: state, country) ?? state.name(in: languages)
    }
    if let smallest, largest != nil { place.subAdministrativeArea = smallest.name(in: languages) }
    if !country.isEmpty { place.isoCountryCode = country }
  }

  /// States of three countries are known by their abbreviations: "US-NY" is "NY".
  private static func abbreviation(of state: FeatureRow, _ country: String) -> String? {
    guard ["US", "CA", "AU"].contains(country), let code = state.detail, code.hasPrefix(country + "-") else {
      return nil
    }
    return String(code.dropFirst(3))
  }

  /// Those of some areas that contain a point, the smallest first.
  mutating func containing(_ point: LocalPoint, _ ids: [Int64]) throws(DatabaseError) -> [FeatureRow] {
    guard !ids.isEmpty else { return [] }
    var rows: [FeatureRow] = []
    for id in ids {
      guard let isInside = try contains(point, id) else { continue }
      if isInside, let row = try row(id) { rows.append(row) }
    }
    return rows.sorted { ($0.radius, $0.id) < ($1.radius, $1.id) }
  }

  /// Whether an area contains a point; `nil` if a damaged file refers to one that does not exist.
  private mutating func contains(_ point: LocalPoint, _ id: Int64) throws(DatabaseError) -> Bool? {
    let isInside: Bool?
    if let outline = outlines[id] {
      isInside = AreaOutline.contains(point, outline.span)
    } else {
      try area.bind(integer: id)
      guard try area.step() else { return nil }
      let outline = try area.blob(0)
      isInside = AreaOutline.contains(point, outline.span)
      if outline.count <= Self.largestOutline {
        if outlines.count >= Self.mostOutlines { outlines.removeAll(keepingCapacity: true) }
        outlines[id] = outline
      }
    }
    guard let isInside else { throw .value(expected: "an outline", found: "a damaged one") }
    return isInside
  }

  /// A block; `nil` if a damaged file refers to one that does not exist.
  mutating func known(block id: Int64) throws(DatabaseError) -> KnownBlock? {
    if let known = blocks[id] { return known }
    try block.bind(integer: id)
    guard try block.step() else { return nil }
    let bytes = try block.blob(0)
    guard let entries = SpatialBlock.entries(bytes.span) else {
      throw .value(expected: "a block", found: "a damaged one")
    }
    let known = KnownBlock(bytes: bytes, entries: entries)
    if bytes.count <= Self.largestOutline {
      if blocks.count >= Self.mostKnownBlocks { blocks.removeAll(keepingCapacity: true) }
      blocks[id] = known
    }
    return known
  }

  /// The outline of the area that matches a text best.
  mutating func area(
    named text: String, mostCorners: Int
  ) throws(DatabaseError) -> (name: String, corners: [Coordinate])? {
    for id in try featureIDs(matching: text) {
      try area.bind(integer: id)
      guard try area.step(), let row = try row(id) else { continue }
      guard let ring = try area.withBlob(0, { AreaOutline.longestRing($0) }) else {
        throw .value(expected: "an outline", found: "a damaged one")
      }
      guard ring.count >= 3 else { continue }
      return (row.name, Simplification.outline(ring, most: mostCorners).map(\.coordinate))
    }
    return nil
  }
}
