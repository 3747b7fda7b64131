package import LinuxIO

/// A private SQLite file in write-ahead mode. A transaction's changes are on disk when it returns, except in a `.large`
/// file.
package struct Database: ~Copyable {
  let connection: Connection
  /// The new name of a damaged file that this file replaced (`open(settingAside:migrations:size:)`); `nil` if there was
  /// none.
  package let setAside: String?

  /// The expected size of a file.
  package enum Size: Hashable, Sendable {
    /// Small enough to be checked completely at each opening; commits wait for the disk.
    case small
    /// Too large for a complete check: damage is detected when it is read. A power failure may lose the last commits,
    /// but nothing else (pragma.html#pragma_synchronous).
    case large
  }

  init(_ connection: consuming Connection) {
    self.connection = connection
    setAside = nil
  }

  /// Opens the file and migrates its schema. A missing file and its folder are created, both with access for their
  /// owner only. `migrations`: statements that migrate each version to the next; the file's version (`user_version`) is
  /// the number of migrations that were applied to it.
  package init(path: String, migrations: [String]) throws(DatabaseError) {
    try self.init(path: path, migrations: migrations, size: .small, setAside: nil)
  }

  /// Opens an existing file, possibly damaged, to recover what can be read.
  package init(damaged path: String) throws(DatabaseError) {
    let connection = try Connection(path: path)
    // The file may come from an untrusted source.
    try connection.run("PRAGMA trusted_schema = OFF")
    self.connection = connection
    setAside = nil
  }

  /// Opens a file read-only, because it cannot be opened for writing: for example, its file system is read-only or
  /// full.
  ///
  /// - Parameter version: the only schema version that this program can read; any other is an error.
  package init(reading path: String, version: Int) throws(DatabaseError) {
    let connection: Connection
    if ReadableCopy.hasLog(path) {
      let copy = try ReadableCopy(of: path)
      connection = try Connection(path: copy.path)
      // SQLite opens its files at the first access.
      _ = try connection.version()
      withExtendedLifetime(copy) {}
    } else {
      connection = try Connection(immutable: path)
    }
    // The copy is writable, but changes to it would be lost (pragma.html#pragma_query_only).
    for pragma in ["trusted_schema = OFF", "query_only = ON"] { try connection.run("PRAGMA \(pragma)") }
    let found = try connection.version()
    guard found == version else { throw .otherSchema(found: found, supported: version) }
    try connection.check()
    self.connection = connection
    setAside = nil
  }

  private init(path: String, migrations: [String], size: Size, setAside: String?) throws(DatabaseError) {
    try Self.requireFile(path)
    do throws(SystemError) {
      try PrivateFolder.make(PrivateFolder.parent(of: path))
      // SQLite's side files inherit this file's permissions.
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

  /// Throws if the path is something other than a regular file: SQLite would block on a FIFO, and write through a link.
  private static func requireFile(_ path: String) throws(DatabaseError) {
    let entry: PrivateFolder.Entry
    do throws(SystemError) {
      entry = try PrivateFolder.entry(path)
    } catch {
      throw .system(error)
    }
    if entry == .other { throw .notAFile(path: path) }
  }

  /// Opens the file. A damaged file is renamed, unchanged, within its folder, and a new one is created.
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

  /// Runs one statement to completion.
  package func run(_ text: String, _ values: [DatabaseValue] = []) throws(DatabaseError) {
    try connection.run(text, values)
  }

  /// Runs `body` in a transaction.
  package func transaction<R>(_ body: () throws(DatabaseError) -> R) throws(DatabaseError) -> R {
    try connection.transaction(body)
  }

  /// Number of rows that the last statement changed.
  package var changes: Int { connection.changes }
}

/// Handling of damaged files.
extension Database {
  /// The most recent new name of a damaged file with this path; `nil` if there is none.
  package static func lastSetAside(_ path: String) throws(DatabaseError) -> String? {
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

  /// Renames a file and SQLite's side files; returns the file's new path.
  package static func setAside(_ path: String) throws(DatabaseError) -> String {
    do throws(SystemError) {
      let folder = PrivateFolder.parent(of: path)
      let taken = Set(try PrivateFolder.files(in: folder).map { "\(folder)/\($0.name)" })
      var number = 1
      while taken.contains("\(path).damaged-\(number)") { number += 1 }
      let name = "\(path).damaged-\(number)"
      // The write-ahead log contains the latest changes, and must not be applied to the new file.
      for ending in ["-wal", "-shm", ""] where taken.contains(path + ending) {
        try FileChange.rename(path + ending, to: name + ending)
      }
      return name
    } catch {
      throw .system(error)
    }
  }
}

/// Why a database operation failed.
package enum DatabaseError: Error, Hashable, Sendable {
  /// SQLite failed: the operation, its extended result code (sqlite.org/rescode.html) and its message.
  case sqlite(operation: String, code: Int32, message: String)
  /// A column has a type other than the schema's.
  case column(Int, expected: DatabaseKind, found: DatabaseKind)
  /// A statement returned no row although it always has one.
  case noRow(statement: String)
  /// The file was written by a later version of this program, or by an earlier one and was opened read-only, so that it cannot be
  /// migrated.
  case otherSchema(found: Int, supported: Int)
  /// The file belongs to another program: the application ID in its header.
  case otherApplication(found: Int64)
  /// The path is not a regular file.
  case notAFile(path: String)
  /// The schema cannot hold a value: the expected range, and the value.
  case value(expected: String, found: String)
  /// The operating system returned an error.
  case system(SystemError)

  /// Whether a file that could not be opened for writing may be opened for reading: its content is not damaged, and no
  /// other process has it locked.
  package var mayBeReadable: Bool {
    switch self {
    case .sqlite(_, let code, _): !isDamage && code & 0xFF != 5 && code & 0xFF != 6
    case .system(let error): error.isReadOnly || error.isLackOfRoom
    case .column, .noRow, .otherSchema, .otherApplication, .notAFile, .value: false
    }
  }

  /// Whether the file's content is damaged (SQLITE_CORRUPT, SQLITE_NOTADB).
  package var isDamage: Bool {
    guard case .sqlite(_, let code, _) = self else { return false }
    return code & 0xFF == 11 || code & 0xFF == 26
  }
}

/// SQLite's value types.
package enum DatabaseKind: Hashable, Sendable {
  case null, integer, real, text, blob
}

/// A parameter of a statement.
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
