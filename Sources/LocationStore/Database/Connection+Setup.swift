/// What is done with a connection by statements alone.
extension Connection {
  func run(_ text: String, _ values: [DatabaseValue] = []) throws(DatabaseError) {
    var statement = try prepare(text)
    try statement.bind(values)
    while try statement.step() {}
  }

  func transaction<R>(_ body: () throws(DatabaseError) -> R) throws(DatabaseError) -> R {
    try run("BEGIN IMMEDIATE")
    do throws(DatabaseError) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // SQLite may have rolled back by itself (lang_transaction.html); then there is nothing left to do.
      if isInTransaction { try run("ROLLBACK") }
      throw error
    }
  }

  func configure() throws(DatabaseError) {
    // FULL waits for the disk at each commit (pragma.html#pragma_synchronous); trusted_schema: a file may come from anywhere.
    for pragma in ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF"] {
      try run("PRAGMA \(pragma)")
    }
  }

  /// Looks through the whole file, which is small.
  func check() throws(DatabaseError) {
    var statement = try prepare("PRAGMA quick_check(1)")
    guard try statement.step() else { throw .noRow(statement: "PRAGMA quick_check") }
    let word = try statement.text(0)
    guard word == "ok" else { throw .sqlite(operation: "quick_check", code: Self.corrupt, message: word) }
  }

  /// Brings the schema to the last version, each step whole or not at all.
  func migrate(_ migrations: [String]) throws(DatabaseError) {
    let version = try self.version()
    guard version <= migrations.count else { throw .newerSchema(found: version, supported: migrations.count) }
    for (index, migration) in migrations.enumerated().dropFirst(max(0, version)) {
      try transaction { () throws(DatabaseError) in
        for text in migration.split(separator: ";") where !text.allSatisfy(\.isWhitespace) { try run(String(text)) }
        try run("PRAGMA user_version = \(index + 1)")
      }
    }
  }

  func version() throws(DatabaseError) -> Int {
    var statement = try prepare("PRAGMA user_version")
    guard try statement.step() else { throw .noRow(statement: "PRAGMA user_version") }
    return Int(try statement.integer(0))
  }
}
