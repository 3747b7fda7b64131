package import LinuxIO

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
