import LocationDatabase
import PlacesCore
import PlacesStore

/// Gives each address its street, town, quarter and postal code, and each street its course.
struct AddressAssembly: ~Copyable {
  private let database: Database
  private(set) var towns: TownIndex
  private var putStreet: Statement
  private var findStreet: Statement
  private var nameStreet: Statement
  private var putItem: Statement
  private var members: Statement
  private var roadName: Statement
  private var nearRoads: Statement?
  private let hasMembers: Bool

  /// Farther from a house than this, meters, a street without a relation to it is not its own.
  private static let roadReach: Float = 100

  // The other initializer, which cannot fail, sets the properties: Swift 6.2.3, which builds for arm64, rejects an error thrown from an
  // incomplete noncopyable value.
  init(_ database: consuming Database, _ towns: TownIndex) throws(DatabaseError) {
    try database.run("CREATE INDEX temp.t_member_object ON t_member(object, kind)")
    try database.run("CREATE INDEX temp.t_road_object ON t_road(object)")
    let putStreet = try database.prepare(
      """
      INSERT INTO t_street(name, names, town, postcode, count) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT(name, town, postcode) DO UPDATE SET count = count + excluded.count RETURNING id
      """)
    let findStreet = try database.prepare(
      "SELECT id, postcode FROM t_street WHERE name = ? AND town = ? ORDER BY count DESC, id LIMIT 1")
    let nameStreet = try database.prepare("UPDATE t_street SET names = ? WHERE name = ? AND town = ? AND names IS NULL")
    let putItem = try database.prepare(
      """
      INSERT INTO t_item(place, kind, feature, quarter, number, flags, x, y, points) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    let members = try database.prepare("SELECT name, street FROM t_member WHERE object = ? AND kind = ? LIMIT 1")
    let roadName = try database.prepare("SELECT name FROM t_road WHERE object = ? LIMIT 1")
    let hasMembers = try Self.exists(database, "SELECT 1 FROM t_member LIMIT 1")
    self.init(
      database: database, towns: towns, putStreet: putStreet, findStreet: findStreet, nameStreet: nameStreet,
      putItem: putItem, members: members, roadName: roadName, hasMembers: hasMembers)
  }

  private init(
    database: consuming Database, towns: TownIndex, putStreet: consuming Statement, findStreet: consuming Statement,
    nameStreet: consuming Statement, putItem: consuming Statement, members: consuming Statement,
    roadName: consuming Statement, hasMembers: Bool
  ) {
    self.database = database
    self.towns = towns
    self.putStreet = putStreet
    self.findStreet = findStreet
    self.nameStreet = nameStreet
    self.putItem = putItem
    self.members = members
    self.roadName = roadName
    self.hasMembers = hasMembers
  }

  /// Ends the assembly.
  consuming func finish() -> Database { database }

  private static func exists(_ database: borrowing Database, _ query: String) throws(DatabaseError) -> Bool {
    var statement = try database.prepare(query)
    return try statement.step()
  }

  mutating func run(_ step: (Double) throws(ImportError) -> Void) throws(ImportError) {
    do throws(DatabaseError) {
      try interpolate()
      try addAddresses(withPostcode: true)
      try addAddresses(withPostcode: false)
    } catch {
      throw .database("\(error)")
    }
    try step(0.4)
    do throws(DatabaseError) {
      try addRoads()
      try addInterests()
    } catch {
      throw .database("\(error)")
    }
    try step(1)
  }

  // MARK: Addresses

  private mutating func addAddresses(withPostcode: Bool) throws(DatabaseError) {
    var rows = try database.prepare(
      """
      SELECT kind, object, number, street, town, postcode, x, y, closed, interpolated, points FROM t_address
      WHERE (postcode IS NOT NULL) = \(withPostcode ? 1 : 0)
      """)
    while try rows.step() {
      let point = LocalPoint(x: Int32(try rows.integer(6)), y: Int32(try rows.integer(7)))
      var name = try rows.optionalText(3)
      if name == nil, hasMembers { name = try member(try rows.integer(1), try rows.integer(0)) }
      if name == nil { name = try nearestRoad(point) }
      guard let name else { continue }
      let town = try self.town(at: point, tagged: try rows.optionalText(4))
      var street: Int64?
      if withPostcode {
        street = try self.street(name, nil, town, try rows.text(5), count: 1)
      } else {
        try findStreet.bind([.text(name), .integer(Int64(town ?? -1))])
        if try findStreet.step() { street = try findStreet.integer(0) }
        findStreet.end()
        if street == nil { street = try self.street(name, nil, town, towns.postcode(at: point) ?? "", count: 1) }
      }
      let flags: Int64 = (try rows.integer(8) == 1 ? 1 : 0) + (try rows.integer(9) == 1 ? 2 : 0)
      try putItem.run([
        .integer(Hilbert.position(of: point)), .integer(0), .integer(street ?? 0),
        DatabaseValue(towns.quarter(at: point).map { Int64($0) }), .text(try rows.text(2)),
        .integer(flags), .integer(Int64(point.x)),
        .integer(Int64(point.y)),
        .blob(try rows.blob(10)),
      ])
    }
  }

  private mutating func street(
    _ name: String, _ names: String?, _ town: Int?, _ postcode: String, count: Int64
  ) throws(DatabaseError) -> Int64 {
    try putStreet.bind([
      .text(name), DatabaseValue(names), .integer(Int64(town ?? -1)), .text(postcode), .integer(count),
    ])
    guard try putStreet.step() else { throw .noRow(statement: "INSERT INTO t_street") }
    let id = try putStreet.integer(0)
    while try putStreet.step() {}
    putStreet.end()
    return id
  }

  /// The town by its tag, by the area around it, or by nearness; a tag that names no known town makes one.
  private mutating func town(at point: LocalPoint, tagged name: String?) throws(DatabaseError) -> Int? {
    if let name, towns.named(name, near: point) == nil, name.utf8.count <= 100 {
      return towns.append(
        TownIndex.Town(
          kind: .town, name: name, point: point, radius: 0, rank: 1, population: 0,
          parent: towns.containing(point).first { towns.all[$0].kind == .region }))
    }
    return towns.town(at: point, tagged: name)
  }

  private mutating func member(_ object: Int64, _ kind: Int64) throws(DatabaseError) -> String? {
    try members.bind([.integer(object), .integer(kind)])
    guard try members.step() else { return nil }
    if let name = try members.optionalText(0) { return name }
    guard let way = try members.optionalInteger(1) else { return nil }
    try roadName.bind([.integer(way)])
    return try roadName.step() ? try roadName.text(0) : nil
  }

  /// The nearest named street of a house without one.
  private mutating func nearestRoad(_ point: LocalPoint) throws(DatabaseError) -> String? {
    if nearRoads == nil { try indexRoads() }
    guard var statement = nearRoads.take() else { return nil }
    let plane = LocalPlane(around: point)
    let (x, y) = (Int64(Double(Self.roadReach) / plane.scaleX), Int64(Double(Self.roadReach) / plane.scaleY))
    try statement.bind([
      .integer(Int64(point.x) - x), .integer(Int64(point.x) + x), .integer(Int64(point.y) - y),
      .integer(Int64(point.y) + y),
    ])
    var best: (name: String, distance: Float)?
    while try statement.step() {
      var nearby = NearbyItems()
      let points = try statement.withBlob(1) { PointList.decode($0) }
      var start = 0
      var nearest = Float.infinity
      // In pieces of the size that blocks have.
      while start < points.count - 1 {
        let part = Array(points[start...min(start + SpatialBlock.mostPoints - 1, points.count - 1)])
        nearby.removeAll()
        let block = SpatialBlock.encode([SpatialBlock.Item(kind: .street, feature: 0, points: part)])
        _ = nearby.read(block.span, block: 0, on: plane)
        if let item = nearby.items.first { nearest = min(nearest, nearby.squaredDistance(from: SIMD2(0, 0), to: item)) }
        start += SpatialBlock.mostPoints - 1
      }
      if nearest <= Self.roadReach * Self.roadReach, nearest < best?.distance ?? .infinity {
        best = (try statement.text(0), nearest)
      }
    }
    statement.end()
    nearRoads = consume statement
    return best?.name
  }

  private mutating func indexRoads() throws(DatabaseError) {
    try database.run("CREATE VIRTUAL TABLE temp.t_road_box USING rtree_i32(id, x0, x1, y0, y1)")
    var rows = try database.prepare("SELECT id, points FROM t_road")
    var put = try database.prepare("INSERT INTO temp.t_road_box VALUES (?, ?, ?, ?, ?)")
    while try rows.step() {
      guard let box = TownIndex.Box(try rows.withBlob(1) { PointList.decode($0) }) else { continue }
      try put.run([
        .integer(try rows.integer(0)), .integer(Int64(box.low.x)), .integer(Int64(box.high.x)),
        .integer(Int64(box.low.y)),
        .integer(Int64(box.high.y)),
      ])
    }
    nearRoads = try database.prepare(
      """
      SELECT name, points FROM temp.t_road_box JOIN t_road ON t_road.id = t_road_box.id
      WHERE x1 >= ?1 AND x0 <= ?2 AND y1 >= ?3 AND y0 <= ?4
      """)
  }

  // MARK: Streets and points of interest

  private mutating func addRoads() throws(DatabaseError) {
    var rows = try database.prepare("SELECT name, names, points FROM t_road")
    while try rows.step() {
      let (name, names) = (try rows.text(0), try rows.optionalText(1))
      for piece in Simplification.pieces(try rows.withBlob(2) { PointList.decode($0) }) {
        let middle = piece[piece.count / 2]
        let town = towns.town(at: middle, tagged: nil)
        try findStreet.bind([.text(name), .integer(Int64(town ?? -1))])
        var street = try findStreet.step() ? try findStreet.integer(0) : nil
        findStreet.end()
        if street == nil { street = try self.street(name, names, town, towns.postcode(at: middle) ?? "", count: 0) }
        if let names { try nameStreet.run([.text(names), .text(name), .integer(Int64(town ?? -1))]) }
        try putItem.run([
          .integer(Hilbert.position(of: middle)), .integer(1), .integer(street ?? 0), .null, .null, .integer(0),
          .integer(Int64(middle.x)), .integer(Int64(middle.y)), .blob(PointList.encode(piece)),
        ])
      }
    }
  }

  private mutating func addInterests() throws(DatabaseError) {
    var rows = try database.prepare("SELECT id, x, y, closed, points FROM t_interest WHERE rings IS NULL")
    while try rows.step() {
      let point = LocalPoint(x: Int32(try rows.integer(1)), y: Int32(try rows.integer(2)))
      try putItem.run([
        .integer(Hilbert.position(of: point)), .integer(2), .integer(try rows.integer(0)), .null, .null,
        .integer(try rows.integer(3)), .integer(Int64(point.x)), .integer(Int64(point.y)), .blob(try rows.blob(4)),
      ])
    }
  }

  // MARK: Interpolation

  func hasRows(_ query: String) throws(DatabaseError) -> Bool { try Self.exists(database, query) }

  mutating func interpolateRows() throws(DatabaseError) {
    try database.run("CREATE INDEX temp.t_address_object ON t_address(object) WHERE kind = 0")
    var rows = try database.prepare("SELECT step, street, town, postcode, nodes, points FROM t_interpolation")
    var find = try database.prepare(
      "SELECT number, street, town, postcode FROM t_address WHERE kind = 0 AND object = ? AND interpolated = 0 LIMIT 1")
    var put = try database.prepare(
      """
      INSERT INTO t_address(kind, object, number, street, town, postcode, x, y, closed, interpolated, points)
      VALUES (0, 0, ?, ?, ?, ?, ?, ?, 0, 1, ?)
      """)
    while try rows.step() {
      let nodes = try rows.withBlob(4) { bytes in
        var reader = PackedReader(bytes)
        return (0..<reader.number()).map { _ in Int64(reader.signed()) }
      }
      let points = try rows.withBlob(5) { PointList.decode($0) }
      var ends: [(at: Int, number: String, street: String?, town: String?, postcode: String?)] = []
      for (index, node) in nodes.enumerated() where index < points.count {
        try find.bind([.integer(node)])
        guard try find.step() else { continue }
        ends.append(
          (index, try find.text(0), try find.optionalText(1), try find.optionalText(2), try find.optionalText(3)))
      }
      for (start, end) in zip(ends, ends.dropFirst()) {
        let numbers = Self.numbers(from: start.number, to: end.number, step: try rows.text(0))
        let line = Array(points[start.at...end.at])
        for (index, number) in numbers.enumerated() {
          let point = Self.point(on: line, at: Double(index + 1) / Double(numbers.count + 1))
          try put.run([
            .text(number), DatabaseValue(try rows.optionalText(1) ?? start.street ?? end.street),
            DatabaseValue(try rows.optionalText(2) ?? start.town),
            DatabaseValue(try rows.optionalText(3) ?? start.postcode),
            .integer(Int64(point.x)), .integer(Int64(point.y)), .blob(PointList.encode([point])),
          ])
        }
      }
    }
  }

  /// The point at a share of a line's length.
  private static func point(on line: [LocalPoint], at share: Double) -> LocalPoint {
    let plane = LocalPlane(around: line[0])
    let lengths = zip(line, line.dropFirst()).map { plane.distance($0, $1) }
    var left = lengths.reduce(0, +) * share
    for (index, length) in lengths.enumerated() {
      if left <= length, length > 0 {
        let (first, second) = (line[index], line[index + 1])
        return LocalPoint(
          x: first.x + Int32(Double(second.x - first.x) * left / length),
          y: first.y + Int32(Double(second.y - first.y) * left / length))
      }
      left -= length
    }
    return line[line.count - 1]
  }
}
