import LocationDatabase
import PlacesCore
import PlacesStore

/// Writes the tables of the file from the temporary tables: the most important features first, so that their numbers are their order.
struct FileWriter: ~Copyable {
  private let database: Database
  private let towns: TownIndex
  private var townIDs: [Int: Int64] = [:]
  private var putFeature: Statement
  private var putWord: Statement
  private var putWords: Statement
  private var putArea: Statement
  private var putBox: Statement
  private var nextID: Int64 = 1
  private(set) var addressCount = 0
  private(set) var streetCount = 0

  /// Items in a block: more take longer to read, fewer more blocks.
  private static let itemsPerBlock = 32

  // The other initializer, which cannot fail, sets the properties: see AddressAssembly.
  init(_ database: consuming Database, _ towns: TownIndex) throws(DatabaseError) {
    let putFeature = try database.prepare("INSERT INTO feature VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    let putWords = try database.prepare("INSERT INTO words(rowid, text) VALUES (?, ?)")
    let putArea = try database.prepare("INSERT INTO area VALUES (?, ?, ?)")
    let putBox = try database.prepare("INSERT INTO box VALUES (?, ?, ?, ?, ?)")
    try database.run("CREATE TEMP TABLE t_word(word TEXT PRIMARY KEY) WITHOUT ROWID")
    let putWord = try database.prepare("INSERT OR IGNORE INTO t_word VALUES (?)")
    self.init(
      database: database, towns: towns, putFeature: putFeature, putWord: putWord, putWords: putWords, putArea: putArea,
      putBox: putBox)
  }

  private init(
    database: consuming Database, towns: TownIndex, putFeature: consuming Statement, putWord: consuming Statement,
    putWords: consuming Statement, putArea: consuming Statement, putBox: consuming Statement
  ) {
    self.database = database
    self.towns = towns
    self.putFeature = putFeature
    self.putWord = putWord
    self.putWords = putWords
    self.putArea = putArea
    self.putBox = putBox
  }

  consuming func finish() -> Database { database }

  mutating func run(_ step: (Double) throws(ImportError) -> Void) throws(ImportError) {
    do throws(DatabaseError) { try writeTowns() } catch { throw .database("\(error)") }
    try step(0.1)
    do throws(DatabaseError) { try writeStreets() } catch { throw .database("\(error)") }
    try step(0.5)
    do throws(DatabaseError) { try writeInterests() } catch { throw .database("\(error)") }
    try step(0.7)
    do throws(DatabaseError) {
      try writeBlocks()
      try writeWords()
    } catch {
      throw .database("\(error)")
    }
    try step(1)
  }

  // MARK: Features

  private mutating func writeTowns() throws(DatabaseError) {
    let order = towns.all.indices.sorted { first, second in
      let (one, other) = (towns.all[first], towns.all[second])
      func importance(_ town: TownIndex.Town) -> (Int, Int, Double) {
        let kind =
          town.kind == .country ? 9 : town.kind == .town ? 5 : town.kind == .region ? 3 : town.kind == .quarter ? 2 : 1
        return (kind, town.kind == .town ? town.rank : 0, Double(town.population) + town.radius / 1e6)
      }
      let (left, right) = (importance(one), importance(other))
      return left == right ? first < second : left > right
    }
    for index in order {
      townIDs[index] = nextID
      nextID += 1
    }
    for index in order {
      let town = towns.all[index]
      try put(
        town.kind, id: townIDs[index] ?? 0, name: town.name, names: town.names, detail: town.detail,
        parent: town.parent,
        postcode: town.postcode, point: town.point, radius: town.radius, numbers: nil)
      guard let box = town.box, !town.rings.isEmpty, let id = townIDs[index] else { continue }
      try putArea.run([.integer(id), .integer(0), .blob(AreaOutline.encode(town.rings))])
      try put(box, .area, id)
    }
  }

  private mutating func put(
    _ box: TownIndex.Box, _ kind: PlacesFormat.BoxKind, _ id: Int64
  ) throws(DatabaseError) {
    try putBox.run([
      .integer(kind.number(of: id)), .integer(Int64(box.low.x)), .integer(Int64(box.high.x)),
      .integer(Int64(box.low.y)), .integer(Int64(box.high.y)),
    ])
  }

  private mutating func put(
    _ kind: PlacesFormat.FeatureKind, id: Int64, name: String, names: String?, detail: String?, parent: Int?,
    postcode: String?, point: LocalPoint, radius: Double, numbers: [UInt8]?
  ) throws(DatabaseError) {
    let postcode = postcode.flatMap { $0.isEmpty ? nil : $0 }
    try putFeature.run([
      .integer(id), .integer(kind.rawValue), .text(name), DatabaseValue(names), DatabaseValue(detail),
      DatabaseValue(parent.flatMap { townIDs[$0] }), DatabaseValue(postcode), .integer(Int64(point.x)),
      .integer(Int64(point.y)), .integer(Int64(min(radius.rounded(.up), 20_000_000))),
      numbers.map { .blob($0) } ?? .null,
    ])
    var own: [String] = []
    for text in [name] + Self.others(names) {
      for word in SearchWords.of(text) where !own.contains(word) { own.append(word) }
    }
    var context: [String] = []
    if let postcode { context += SearchWords.of(postcode) }
    var next = parent
    for _ in 0..<4 {
      guard let index = next else { break }
      let town = towns.all[index]
      for text in [town.name] + Self.others(town.names) { context += SearchWords.of(text) }
      next = town.parent
    }
    var words: [String] = own
    for word in Set(context).sorted() { words.append("_" + word) }
    try putWords.run([.integer(id), .text(words.joined(separator: " "))])
    for word in Set(own + context) { try remember(word) }
    // A typing error in the ending of "Landstrasse" hides that it is abbreviated: such words are compared in full.
    for text in [name] + Self.others(names) {
      for word in TextFolding.words(text) where SearchWords.canonical(word) != word { try remember(word) }
    }
  }

  private mutating func remember(_ word: String) throws(DatabaseError) { try putWord.run([.text(word)]) }

  private static func others(_ names: String?) -> [String] {
    (names?.split(separator: PlacesFormat.nameSeparator) ?? []).compactMap { part in
      part.firstIndex(of: "=").map { String(part[part.index(after: $0)...]) }
    }
  }

  // MARK: Streets

  /// A street's items, in the order of the table.
  private struct StreetItem {
    var id: Int64
    var number: String?
    var isOutline: Bool
    var isInterpolated: Bool
    var point: LocalPoint
  }

  private mutating func writeStreets() throws(DatabaseError) {
    try database.run("CREATE INDEX temp.t_item_feature ON t_item(kind, feature)")
    var rows = try database.prepare("SELECT id, name, names, town, postcode FROM t_street ORDER BY count DESC, id")
    var items = try database.prepare(
      "SELECT id, kind, number, flags, x, y FROM t_item WHERE kind IN (0, 1) AND feature = ? ORDER BY id LIMIT 100000")
    var setFinal = try database.prepare("UPDATE t_street SET final = ? WHERE id = ?")
    var delete = try database.prepare("DELETE FROM t_item WHERE id = ?")
    while try rows.step() {
      let street = try rows.integer(0)
      try items.bind([.integer(street)])
      var all: [StreetItem] = []
      while try items.step() {
        let flags = try items.integer(3)
        all.append(
          StreetItem(
            id: try items.integer(0), number: try items.integer(1) == 0 ? try items.text(2) : nil,
            isOutline: flags & 1 == 1, isInterpolated: flags & 2 == 2,
            point: LocalPoint(x: Int32(try items.integer(4)), y: Int32(try items.integer(5)))))
      }
      items.end()
      let removed = Self.duplicates(all)
      for id in removed { try delete.run([.integer(id)]) }
      all.removeAll { removed.contains($0.id) }
      guard let box = TownIndex.Box(all.map(\.point)) else { continue }
      let plane = LocalPlane(around: box.center)
      // The middle of a bent street is not in the street.
      let point = all.map(\.point).min { plane.distance($0, box.center) < plane.distance($1, box.center) } ?? box.center
      var numbers: [NumberList.Entry] = []
      for item in all {
        for number in item.number.map(HouseNumber.list) ?? [] {
          numbers.append(NumberList.Entry(number: number, point: item.point, isInterpolated: item.isInterpolated))
        }
      }
      addressCount += all.count { $0.number != nil }
      streetCount += 1
      let town = try rows.integer(3)
      try put(
        .street, id: nextID, name: try rows.text(1), names: try rows.optionalText(2), detail: nil,
        parent: town >= 0 ? Int(town) : nil, postcode: try rows.text(4), point: point, radius: box.radius,
        numbers: numbers.isEmpty ? nil : NumberList.encode(numbers))
      try setFinal.run([.integer(nextID), .integer(street)])
      nextID += 1
    }
  }

  /// The same number at a building and at its entrance counts once: the outline stays. An interpolated number gives way to any other.
  private static func duplicates(_ items: [StreetItem]) -> Set<Int64> {
    var removed: Set<Int64> = []
    var byNumber: [String: [Int]] = [:]
    for (index, item) in items.enumerated() {
      if let number = item.number { byNumber[HouseNumber.canonical(number), default: []].append(index) }
    }
    for same in byNumber.values where same.count > 1 {
      for index in same {
        let item = items[index]
        let plane = LocalPlane(around: item.point)
        let isCovered = same.contains { other in
          guard other != index, !removed.contains(items[other].id) else { return false }
          let better = items[other]
          if item.isInterpolated, !better.isInterpolated { return true }
          return !item.isOutline && better.isOutline && plane.distance(item.point, better.point) < 60
        }
        if isCovered { removed.insert(item.id) }
      }
    }
    return removed
  }

  // MARK: Points of interest, grounds, waters

  private mutating func writeInterests() throws(DatabaseError) {
    var rows = try database.prepare(
      """
      SELECT id, kind, name, names, class, x, y, radius, rings FROM t_interest ORDER BY kind DESC, radius DESC, id
      """)
    var setFinal = try database.prepare("UPDATE t_interest SET final = ? WHERE id = ?")
    while try rows.step() {
      let point = LocalPoint(x: Int32(try rows.integer(5)), y: Int32(try rows.integer(6)))
      guard let kind = PlacesFormat.FeatureKind(rawValue: try rows.integer(1)) else { continue }
      let radius = try rows.integer(7)
      try put(
        kind, id: nextID, name: try rows.text(2), names: try rows.optionalText(3), detail: try rows.optionalText(4),
        parent: towns.town(at: point, tagged: nil), postcode: nil, point: point, radius: Double(radius), numbers: nil)
      if let rings = try rows.optionalBlob(8) {
        try putArea.run([.integer(nextID), .integer(0), .blob(rings)])
        if let box = TownIndex.Box(Self.points(rings)) { try put(box, .interest, nextID) }
      } else {
        try setFinal.run([.integer(nextID), .integer(try rows.integer(0))])
      }
      nextID += 1
    }
  }

  private static func points(_ outline: [UInt8]) -> [LocalPoint] {
    var reader = PackedReader(outline.span)
    var points: [LocalPoint] = []
    var (x, y) = (0, 0)
    for _ in 0..<reader.number() {
      for _ in 0..<reader.number() {
        x += reader.signed()
        y += reader.signed()
        points.append(LocalPoint(x: Int32(x), y: Int32(y)))
      }
    }
    return points
  }

  // MARK: Blocks

  private mutating func writeBlocks() throws(DatabaseError) {
    var rows = try database.prepare(
      """
      SELECT t_item.kind, CASE t_item.kind WHEN 2 THEN t_interest.final ELSE t_street.final END AS final, quarter, number, flags,
        t_item.points
      FROM t_item LEFT JOIN t_street ON t_item.kind < 2 AND t_street.id = t_item.feature
        LEFT JOIN t_interest ON t_item.kind = 2 AND t_interest.id = t_item.feature
      ORDER BY place
      """)
    var putBlock = try database.prepare("INSERT INTO block VALUES (?, ?)")
    var block: [SpatialBlock.Item] = []
    var id: Int64 = 0
    func flush() throws(DatabaseError) {
      guard let box = TownIndex.Box(block.flatMap(\.points)) else { return }
      id += 1
      try putBlock.run([.integer(id), .blob(SpatialBlock.encode(block))])
      try put(box, .block, id)
      block = []
    }
    while try rows.step() {
      guard let kind = SpatialBlock.Kind(rawValue: UInt8(try rows.integer(0))),
        let feature = try rows.optionalInteger(1)
      else {
        continue
      }
      let points = Array(try rows.withBlob(5) { PointList.decode($0) }.prefix(SpatialBlock.mostPoints))
      guard !points.isEmpty else { continue }
      let flags = try rows.integer(4)
      block.append(
        SpatialBlock.Item(
          kind: kind, feature: Int(feature),
          quarter: try rows.optionalInteger(2).flatMap { townIDs[Int($0)] }.map { Int($0) },
          number: try rows.optionalText(3), isInterpolated: flags & 2 == 2, isClosed: flags & 1 == 1, points: points))
      if block.count == Self.itemsPerBlock { try flush() }
    }
    try flush()
  }

  private mutating func writeWords() throws(DatabaseError) {
    try database.run("INSERT INTO word SELECT word FROM t_word ORDER BY word")
    var rows = try database.prepare("SELECT word FROM t_word")
    var put = try database.prepare("INSERT OR IGNORE INTO reversed VALUES (?)")
    while try rows.step() {
      var reversed = String.UnicodeScalarView()
      reversed.append(contentsOf: try rows.text(0).unicodeScalars.reversed())
      try put.run([.text(String(reversed))])
    }
    try database.run("INSERT INTO words(words) VALUES ('optimize')")
  }
}
