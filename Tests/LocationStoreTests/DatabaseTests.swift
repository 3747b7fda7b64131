import LocationDatabase
import LocationStore
import Testing

@Suite struct DatabaseTests {
  private let schema = "CREATE TABLE t (i INTEGER, r REAL, s TEXT, b)"

  @Test func valuesComeBackWithTheirKind() throws {
    let place = try TemporaryFolder()
    let database = try Database(path: place.path + "/d", migrations: [schema])
    try database.run(
      "INSERT INTO t VALUES (?, ?, ?, x'00')", [.integer(.min), .real(0.1), .text("a\0b ä")])
    #expect(database.changes == 1)
    var row = try database.prepare("SELECT i, r, s, b, NULL FROM t")
    var hasRow = try row.step()
    #expect(hasRow)
    #expect(try row.integer(0) == .min)
    #expect(try row.optionalReal(1) == 0.1)
    #expect(try row.text(2) == "a\0b ä")
    #expect(try row.optionalReal(4) == nil && row.optionalInteger(4) == nil)
    #expect(throws: DatabaseError.column(0, expected: .text, found: .integer)) { _ = try row.text(0) }
    #expect(throws: DatabaseError.column(1, expected: .integer, found: .real)) { _ = try row.integer(1) }
    #expect(throws: DatabaseError.column(3, expected: .real, found: .blob)) { _ = try row.optionalReal(3) }
    #expect(throws: DatabaseError.column(4, expected: .integer, found: .null)) { _ = try row.integer(4) }
    hasRow = try row.step()
    #expect(!hasRow)
  }

  @Test func transactionIsWholeOrNotAtAll() throws {
    let place = try TemporaryFolder()
    let database = try Database(path: place.path + "/d", migrations: [schema])
    let error = #expect(throws: DatabaseError.self) {
      try database.transaction { () throws(DatabaseError) in
        try database.run("INSERT INTO t VALUES (1, 1, '1', 1)")
        try database.run("INSERT INTO nowhere VALUES (1)")
      }
    }
    guard case .sqlite(let operation, let code, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(operation == "INSERT INTO nowhere VALUES (1)" && code == 1)
    var count = try database.prepare("SELECT count(*) FROM t")
    _ = try count.step()
    #expect(try count.integer(0) == 0)
  }

  @Test func twoConnectionsSeeEachOther() throws {
    let place = try TemporaryFolder()
    let one = try Database(path: place.path + "/d", migrations: [schema])
    let two = try Database(path: place.path + "/d", migrations: [schema])
    try one.run("INSERT INTO t VALUES (1, 1, '1', 1)")
    try two.run("INSERT INTO t VALUES (2, 1, '1', 1)")
    var count = try one.prepare("SELECT count(*) FROM t")
    _ = try count.step()
    #expect(try count.integer(0) == 2)
  }

  @Test func migrationsGoOnWhereTheFileIs() throws {
    let place = try TemporaryFolder()
    do {
      _ = try Database(path: place.path + "/d", migrations: [schema])
    }
    // The second migration fails in the middle: the file keeps the first version.
    #expect(throws: DatabaseError.self) {
      _ = try Database(path: place.path + "/d", migrations: [schema, "CREATE TABLE u (v); nonsense"])
    }
    let database = try Database(
      path: place.path + "/d", migrations: [schema, "CREATE TABLE u (v); CREATE TABLE w (x)"])
    try database.run("INSERT INTO u VALUES (1)")
    try database.run("INSERT INTO w VALUES (1)")
  }
}
