import LocationDatabase
import PlacesCore
import PlacesStore

/// What was read, in temporary tables until everything is known that an address needs.
struct Staging: ~Copyable {
  static let schema = [
    """
    CREATE TEMP TABLE t_address(id INTEGER PRIMARY KEY, kind INTEGER, object INTEGER, number TEXT, street TEXT, town TEXT,
      postcode TEXT, x INTEGER, y INTEGER, closed INTEGER, interpolated INTEGER, points BLOB)
    """,
    "CREATE TEMP TABLE t_road(id INTEGER PRIMARY KEY, object INTEGER, name TEXT, names TEXT, points BLOB)",
    "CREATE TEMP TABLE t_member(object INTEGER, kind INTEGER, name TEXT, street INTEGER)",
    "CREATE TEMP TABLE t_interpolation(id INTEGER PRIMARY KEY, step TEXT, street TEXT, town TEXT, postcode TEXT, nodes BLOB, points BLOB)",
    """
    CREATE TEMP TABLE t_interest(id INTEGER PRIMARY KEY, kind INTEGER, name TEXT, names TEXT, class TEXT, x INTEGER, y INTEGER,
      radius INTEGER, closed INTEGER, points BLOB, rings BLOB, final INTEGER)
    """,
    """
    CREATE TEMP TABLE t_street(id INTEGER PRIMARY KEY, name TEXT NOT NULL, names TEXT, town INTEGER NOT NULL, postcode TEXT NOT NULL,
      count INTEGER NOT NULL DEFAULT 0, final INTEGER, UNIQUE(name, town, postcode))
    """,
    """
    CREATE TEMP TABLE t_item(id INTEGER PRIMARY KEY, place INTEGER, kind INTEGER, feature INTEGER, quarter INTEGER, number TEXT,
      flags INTEGER, x INTEGER, y INTEGER, points BLOB)
    """,
  ]

  private var putAddress: Statement
  private var putRoad: Statement
  private var putMember: Statement
  private var putInterpolation: Statement
  private var putInterest: Statement

  init(_ database: borrowing Database) throws(DatabaseError) {
    try Self.createTables(database)
    let putAddress = try database.prepare(
      """
      INSERT INTO t_address(kind, object, number, street, town, postcode, x, y, closed, interpolated, points)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    let putRoad = try database.prepare("INSERT INTO t_road(object, name, names, points) VALUES (?, ?, ?, ?)")
    let putMember = try database.prepare("INSERT INTO t_member(object, kind, name, street) VALUES (?, ?, ?, ?)")
    let putInterpolation = try database.prepare(
      "INSERT INTO t_interpolation(step, street, town, postcode, nodes, points) VALUES (?, ?, ?, ?, ?, ?)")
    let putInterest = try database.prepare(
      """
      INSERT INTO t_interest(kind, name, names, class, x, y, radius, closed, points, rings)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    self.putAddress = putAddress
    self.putRoad = putRoad
    self.putMember = putMember
    self.putInterpolation = putInterpolation
    self.putInterest = putInterest
  }

  private static func createTables(_ database: borrowing Database) throws(DatabaseError) {
    for text in schema { try database.run(text) }
  }

  struct Address {
    var kind: Int64
    var object: Int64
    var number: String
    var street: String?
    var town: String?
    var postcode: String?
    var points: [LocalPoint]
    var isClosed: Bool
    var isInterpolated = false
  }

  mutating func put(_ address: Address) throws(DatabaseError) {
    guard let box = TownIndex.Box(address.points) else { return }
    let center = box.center
    try putAddress.run([
      .integer(address.kind), .integer(address.object), .text(address.number), DatabaseValue(address.street),
      DatabaseValue(address.town), DatabaseValue(address.postcode), .integer(Int64(center.x)),
      .integer(Int64(center.y)),
      .integer(address.isClosed ? 1 : 0), .integer(address.isInterpolated ? 1 : 0),
      .blob(PointList.encode(address.points)),
    ])
  }

  mutating func putRoad(_ object: Int64, name: String, names: String?, _ points: [LocalPoint]) throws(DatabaseError) {
    try putRoad.run([
      .integer(object), .text(name), DatabaseValue(names),
      .blob(PointList.encode(Simplification.line(points, tolerance: 1))),
    ])
  }

  /// - Parameter street: the way of the street, if the relation has no name.
  mutating func putMember(
    _ member: ExtractObject.Member, name: String?, street: Int64?
  ) throws(DatabaseError) {
    try putMember.run([.integer(member.id), .integer(Int64(member.kind)), DatabaseValue(name), DatabaseValue(street)])
  }

  mutating func putInterpolation(_ way: ExtractObject, step: String) throws(DatabaseError) {
    var nodes = PackedWriter()
    nodes.put(way.nodes.count)
    for node in way.nodes { nodes.put(signed: Int(node)) }
    try putInterpolation.run([
      .text(step), DatabaseValue(way["addr:street"] ?? way["addr:place"]), DatabaseValue(way["addr:city"]),
      DatabaseValue(way["addr:postcode"]), .blob(nodes.bytes), .blob(PointList.encode(way.points)),
    ])
  }

  struct Interest {
    var kind: PlacesFormat.FeatureKind
    var name: String
    var names: String?
    var detail: String?
    /// The outline or the point in blocks; empty for a ground, which has rings.
    var points: [LocalPoint]
    var isClosed: Bool
    var rings: [[LocalPoint]]
    var box: TownIndex.Box
  }

  mutating func put(_ interest: Interest) throws(DatabaseError) {
    let center = interest.box.center
    try putInterest.run([
      .integer(interest.kind.rawValue), .text(interest.name), DatabaseValue(interest.names),
      DatabaseValue(interest.detail),
      .integer(Int64(center.x)), .integer(Int64(center.y)), .integer(Int64(interest.box.radius)),
      .integer(interest.isClosed ? 1 : 0), .blob(PointList.encode(interest.points)),
      interest.rings.isEmpty ? .null : .blob(AreaOutline.encode(interest.rings)),
    ])
  }
}

/// Points in the temporary tables.
enum PointList {
  static func encode(_ points: [LocalPoint]) -> [UInt8] {
    var writer = PackedWriter()
    writer.put(points.count)
    var (x, y) = (0, 0)
    for point in points {
      writer.put(signed: Int(point.x) - x)
      writer.put(signed: Int(point.y) - y)
      (x, y) = (Int(point.x), Int(point.y))
    }
    return writer.bytes
  }

  static func decode(_ bytes: Span<UInt8>) -> [LocalPoint] {
    var reader = PackedReader(bytes)
    var (x, y) = (0, 0)
    return (0..<reader.number()).map { _ in
      x += reader.signed()
      y += reader.signed()
      return LocalPoint(x: Int32(x), y: Int32(y))
    }
  }
}
