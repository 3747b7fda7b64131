internal import CSQLite

/// SQLite's connection to one file.
///
/// Safe: the pointer is valid as long as this value lives, which cannot be copied.
@safe struct Connection: ~Copyable {
  static let corrupt = SQLITE_CORRUPT
  /// How long to wait for another connection's lock, milliseconds.
  private static let busyTimeout: Int32 = 2000
  /// The most instructions of a statement of a foreign file: some ten milliseconds.
  private static let mostInstructions: Int32 = 2_000_000

  private let pointer: OpaquePointer

  /// Opens an existing file.
  init(path: String) throws(DatabaseError) { try self.init(path, SQLITE_OPEN_READWRITE) }

  /// Creates a file; an existing one is opened.
  init(creating path: String) throws(DatabaseError) { try self.init(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) }

  /// Makes SQLite, in this whole process, open files even if standard input is closed and `/dev/null` is out of reach.
  static func avoidStandardDescriptors() throws(DatabaseError) {
    let code = csqlite_avoid_standard_descriptors()
    guard code == SQLITE_OK else { throw .sqlite(operation: "xSetSystemCall", code: code, message: "open") }
  }

  /// Opens an existing file read-only, assuming that no process changes it: SQLite creates no side files, and ignores
  /// the file's write-ahead log (uri.html, `immutable`).
  init(immutable path: String) throws(DatabaseError) {
    try self.init("file:" + Self.escaped(path) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
  }

  /// Escapes characters with a meaning in a URI.
  private static func escaped(_ path: String) -> String {
    String(
      String.UnicodeScalarView(
        path.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
          switch scalar {
          case "%": ["%", "2", "5"]
          case "?": ["%", "3", "f"]
          case "#": ["%", "2", "3"]
          default: [scalar]
          }
        }))
  }

  private init(_ name: String, _ access: Int32) throws(DatabaseError) {
    var pointer: OpaquePointer?
    let flags = access | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX
    let code = unsafe sqlite3_open_v2(name, &pointer, flags, nil)
    guard let pointer = unsafe pointer else { throw .sqlite(operation: "open", code: code, message: "no memory") }
    guard code == SQLITE_OK else {
      let error = unsafe DatabaseError.last(of: pointer, operation: "open")
      unsafe sqlite3_close_v2(pointer)
      throw error
    }
    unsafe self.pointer = pointer
    unsafe sqlite3_busy_timeout(pointer, Self.busyTimeout)
  }

  deinit { unsafe sqlite3_close_v2(pointer) }

  func prepare(_ text: String) throws(DatabaseError) -> Statement { unsafe try Statement(text, connection: pointer) }

  /// From now on, a statement fails after `mostInstructions` of SQLite's virtual machine (sqlite.org/c3ref/progress_handler.html).
  func limit() { unsafe sqlite3_progress_handler(pointer, Self.mostInstructions, { _ in 1 }, nil) }

  var changes: Int { Int(unsafe sqlite3_changes(pointer)) }
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(pointer) == 0 }
}

/// Operations that only use statements.
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
      // SQLite may already have rolled back by itself (lang_transaction.html).
      if isInTransaction { try run("ROLLBACK") }
      throw error
    }
  }

  func configure() throws(DatabaseError) {
    // FULL waits for the disk at each commit (pragma.html#pragma_synchronous). trusted_schema is off because the file
    // may come from an untrusted source.
    for pragma in ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF"] {
      try run("PRAGMA \(pragma)")
    }
  }

  /// Checks the whole file, which is small.
  func check() throws(DatabaseError) {
    var statement = try prepare("PRAGMA quick_check(1)")
    guard try statement.step() else { throw .noRow(statement: "PRAGMA quick_check") }
    let word = try statement.text(0)
    guard word == "ok" else { throw .sqlite(operation: "quick_check", code: Self.corrupt, message: word) }
  }

  /// Migrates the schema to the latest version, each step in a transaction.
  func migrate(_ migrations: [String]) throws(DatabaseError) {
    let version = try self.version()
    guard version <= migrations.count else { throw .otherSchema(found: version, supported: migrations.count) }
    for (index, migration) in migrations.enumerated().dropFirst(max(0, version)) {
      try transaction { () throws(DatabaseError) in
        for text in migration.split(separator: ";") where !text.allSatisfy(\.isWhitespace) { try run(String(text)) }
        try run("PRAGMA user_version = \(index + 1)")
      }
    }
  }

  func version() throws(DatabaseError) -> Int { Int(try number("PRAGMA user_version")) }

  /// The number that a statement returns.
  func number(_ text: String) throws(DatabaseError) -> Int64 {
    var statement = try prepare(text)
    guard try statement.step() else { throw .noRow(statement: text) }
    return try statement.integer(0)
  }
}
