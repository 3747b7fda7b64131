import LinuxIO

/// Files that are written once, as a whole, and only read afterwards: data that is installed, or imported from a file.
extension Database {
  /// What a file of data must say about itself (pragma.html#pragma_application_id, `user_version`).
  package struct Identity: Hashable, Sendable {
    package var application: Int32
    package var version: Int

    package init(application: Int32, version: Int) {
      self.application = application
      self.version = version
    }
  }

  /// Creates a new file without a journal: after a failure it is useless, and its writer removes it. Temporary tables go to
  /// a file in `SQLITE_TMPDIR`, which can be opened while standard input is closed.
  ///
  /// - Parameter cacheSize: the most memory for pages of the file, and again for those of temporary tables, bytes.
  package init(building path: String, identity: Identity, cacheSize: Int) throws(DatabaseError) {
    try Connection.avoidStandardDescriptors()
    let connection = try Connection(creating: path)
    for pragma in [
      "page_size = 4096", "journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", "trusted_schema = OFF",
      "temp_store = FILE", "cache_size = -\(cacheSize / 1024)", "temp.cache_size = -\(cacheSize / 1024)",
      // The first pragma reaches only the files that are open then.
      "temp.journal_mode = OFF",
      "application_id = \(identity.application)", "user_version = \(identity.version)",
    ] {
      try connection.run("PRAGMA \(pragma)")
    }
    self.init(connection)
  }

  /// Opens a file that no process changes: files of data are replaced by renaming another file to their name. Symbolic links are followed
  /// in the path of its folder; the file itself must not be one (SQLITE_CANTOPEN_SYMLINK).
  ///
  /// - Parameter checks: checks the whole file first, for one that another user wrote.
  package init(immutable path: String, identity: Identity, checks: Bool) throws(DatabaseError) {
    let connection = try Self.immutable(path, identity)
    if checks { try connection.check() }
    // One transaction for all reads: otherwise SQLite reads the file's change counter again for each statement.
    try connection.run("BEGIN")
    self.init(connection)
  }

  /// Opens a file of another program, which may be hostile, and which no process changes: each statement ends with an error after some
  /// ten milliseconds (`Connection.limit`).
  ///
  /// - Parameter identity: what the file must say about itself; `nil`: anything.
  package init(foreign path: String, identity: Identity? = nil) throws(DatabaseError) {
    let connection = try Self.immutable(path, identity)
    connection.limit()
    self.init(connection)
  }

  /// A connection that only reads, and that trusts nothing in the file.
  private static func immutable(_ path: String, _ identity: Identity?) throws(DatabaseError) -> Connection {
    let resolved: String
    do throws(SystemError) { resolved = try PrivateFolder.resolvingFolder(of: path) } catch { throw .system(error) }
    let connection = try Connection(immutable: resolved)
    for pragma in ["trusted_schema = OFF", "query_only = ON", "cell_size_check = ON"] {
      try connection.run("PRAGMA \(pragma)")
    }
    guard let identity else { return connection }
    let application = try connection.number("PRAGMA application_id")
    guard application == Int64(identity.application) else { throw .otherApplication(found: application) }
    let version = try connection.version()
    guard version == identity.version else { throw .otherSchema(found: version, supported: identity.version) }
    return connection
  }

  /// Checks the whole file (pragma.html#pragma_quick_check).
  package func check() throws(DatabaseError) { try connection.check() }
}
