package import LinuxIO

/// A private SQLite file, in write-ahead mode; what a transaction has done is on the disk when it returns.
package struct Database: ~Copyable {
  private let connection: Connection
  /// The name that a damaged file in this one's place was given (`open(settingAside:migrations:)`).
  package let setAside: String?

  /// How much a file holds.
  package enum Size: Hashable, Sendable {
    /// What can be looked through at each opening; what is committed is on the disk.
    case small
    /// Too much to be looked through: damage shows where it is read. What was committed last may be gone after a power cut, and
    /// nothing else (pragma.html#pragma_synchronous).
    case large
  }

  /// Opens the file, which is made where it is not there, in a folder that is made too, both for their owner only; brings
  /// its schema up to date. `migrations`: statements that lead from each version to the next; the file's version
  /// (`user_version`) is how many of them it has had.
  package init(path: String, migrations: [String]) throws(DatabaseError) {
    try self.init(path: path, migrations: migrations, size: .small, setAside: nil)
  }

  /// Opens a file that is there as it is, damaged or not: what can be read of it is read.
  init(damaged path: String) throws(DatabaseError) {
    let connection = try Connection(path: path)
    // A file may come from anywhere.
    try connection.run("PRAGMA trusted_schema = OFF")
    self.connection = connection
    setAside = nil
  }

  /// Opens a file only to read it, where it cannot be opened for writing: on a file system that is read-only, or full.
  ///
  /// - Parameter version: the schema's that this program knows; a later one is an error, an earlier one too.
  init(reading path: String, version: Int) throws(DatabaseError) {
    let connection: Connection
    if ReadableCopy.hasLog(path) {
      let copy = try ReadableCopy(of: path)
      connection = try Connection(path: copy.path)
      // SQLite opens its files at the first look.
      _ = try connection.version()
      withExtendedLifetime(copy) {}
    } else {
      connection = try Connection(immutable: path)
    }
    // A copy could be written, to nobody's use (pragma.html#pragma_query_only).
    for pragma in ["trusted_schema = OFF", "query_only = ON"] { try connection.run("PRAGMA \(pragma)") }
    let found = try connection.version()
    guard found == version else { throw .newerSchema(found: found, supported: version) }
    try connection.check()
    self.connection = connection
    setAside = nil
  }

  private init(path: String, migrations: [String], size: Size, setAside: String?) throws(DatabaseError) {
    try Self.requireFile(path)
    do throws(SystemError) {
      try PrivateFolder.make(PrivateFolder.parent(of: path))
      // SQLite gives its side files the rights of this one.
      try FileChange.makePrivate(path)
    } catch {
      throw .system(error)
    }
    let connection = try Connection(path: path)
    try connection.configure()
    switch size {
    case .small: try connection.check()
    case .large: try connection.run("PRAGMA synchronous = NORMAL")
    }
    try connection.migrate(migrations)
    self.connection = connection
    self.setAside = setAside
  }

  /// Throws where something else than a regular file has its name: SQLite would wait for a FIFO, and write behind a link.
  private static func requireFile(_ path: String) throws(DatabaseError) {
    let entry: PrivateFolder.Entry
    do throws(SystemError) {
      entry = try PrivateFolder.entry(path)
    } catch {
      throw .system(error)
    }
    if entry == .other { throw .notAFile(path: path) }
  }

  /// Opens the file; one that is damaged is given another name beside it, whole as it is, and a new one begun.
  package static func open(
    settingAside path: String, migrations: [String], size: Size = .small
  ) throws(DatabaseError) -> Database {
    do throws(DatabaseError) {
      return try Database(path: path, migrations: migrations, size: size, setAside: nil)
    } catch {
      guard error.isDamage else { throw error }
      let name = try setAside(path)
      return try Database(path: path, migrations: migrations, size: size, setAside: name)
    }
  }

  /// Prepares one statement.
  package func prepare(_ text: String) throws(DatabaseError) -> Statement { try connection.prepare(text) }

  /// Runs one statement to its end.
  package func run(_ text: String, _ values: [DatabaseValue] = []) throws(DatabaseError) {
    try connection.run(text, values)
  }

  /// Runs `body` whole or not at all.
  package func transaction<R>(_ body: () throws(DatabaseError) -> R) throws(DatabaseError) -> R {
    try connection.transaction(body)
  }

  /// Rows that the last statement changed.
  package var changes: Int { connection.changes }
}

/// Damaged files.
extension Database {
  /// The name that a damaged file in that place was given last; `nil`: none was.
  static func lastSetAside(_ path: String) throws(DatabaseError) -> String? {
    do throws(SystemError) {
      let names = try PrivateFolder.files(in: PrivateFolder.parent(of: path)).map(\.name)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let numbers = names.compactMap { file in
        file.hasPrefix("\(name).damaged-") ? Int(file.dropFirst("\(name).damaged-".utf8.count)) : nil
      }
      return numbers.max().map { "\(path).damaged-\($0)" }
    } catch {
      throw .system(error)
    }
  }

  /// Gives a file, and SQLite's side files, another name; that name.
  static func setAside(_ path: String) throws(DatabaseError) -> String {
    do throws(SystemError) {
      let folder = PrivateFolder.parent(of: path)
      let taken = Set(try PrivateFolder.files(in: folder).map { "\(folder)/\($0.name)" })
      var number = 1
      while taken.contains("\(path).damaged-\(number)") { number += 1 }
      let name = "\(path).damaged-\(number)"
      // The log holds the last changes, and must not be taken for the new file's.
      for ending in ["-wal", "-shm", ""] where taken.contains(path + ending) {
        try FileChange.rename(path + ending, to: name + ending)
      }
      return name
    } catch {
      throw .system(error)
    }
  }
}

/// Why the database did not do what it was asked for.
package enum DatabaseError: Error, Hashable, Sendable {
  /// SQLite refused: what was asked for, its extended result code (sqlite.org/rescode.html) and its words.
  case sqlite(operation: String, code: Int32, message: String)
  /// A column holds another kind than the schema says.
  case column(Int, expected: DatabaseKind, found: DatabaseKind)
  /// A statement gave no row where one was certain.
  case noRow(statement: String)
  /// Written by a later version of this program.
  case newerSchema(found: Int, supported: Int)
  /// Something else than a file has its name.
  case notAFile(path: String)
  /// A value that the schema cannot hold: which, and what it may be.
  case value(expected: String, found: String)
  /// The machine refused.
  case system(SystemError)

  /// Whether a file that could not be opened for writing may be opened for reading: nothing is wrong with what is in it, and
  /// nobody else is changing it.
  package var mayBeReadable: Bool {
    switch self {
    case .sqlite(_, let code, _): !isDamage && code & 0xFF != 5 && code & 0xFF != 6
    case .system(let error): error.isReadOnly || error.isLackOfRoom
    case .column, .noRow, .newerSchema, .notAFile, .value: false
    }
  }

  /// Whether the file does not hold what SQLite has written (SQLITE_CORRUPT, SQLITE_NOTADB).
  package var isDamage: Bool {
    guard case .sqlite(_, let code, _) = self else { return false }
    return code & 0xFF == 11 || code & 0xFF == 26
  }
}

/// The kinds of values that SQLite keeps.
package enum DatabaseKind: Hashable, Sendable {
  case null, integer, real, text, blob
}

/// A value that is given to a statement.
package enum DatabaseValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  package init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
  package init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
  package init(_ value: String?) { self = value.map { .text($0) } ?? .null }
}
