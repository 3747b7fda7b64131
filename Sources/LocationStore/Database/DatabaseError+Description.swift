import LinuxIO
package import LocationDatabase
package import LocationPolicy

extension DatabaseError {
  /// The cause as a clause, for users.
  package var words: String {
    switch self {
    case .sqlite(_, let code, let message):
      switch cause {
      case .noRoom: "the disk is full"
      case .readOnly: "the file system is read-only"
      case .denied: "permission denied"
      case .diskError: "the disk reports an error (SQLite code \(code))"
      case .damaged: "its index is damaged"
      case .busy: "another process has been writing to it for seconds"
      case .laterVersion, .other: "SQLite error \(code): \(message)"
      }
    case .column(let column, let expected, let found): "column \(column) holds \(found) instead of \(expected)"
    case .noRow: "a row that was written is missing"
    case .otherSchema(let found, let supported):
      found > supported
        ? "a later version of locationd wrote it: its schema is \(found), this version supports \(supported)"
        : "an earlier version of locationd wrote it, and locationd has not converted it yet: start locationd"
    case .otherApplication: "another program wrote it"
    case .notAFile(let path): "\(path) is not a regular file: remove it"
    case .value(let expected, let found): "expected \(expected), found \(found)"
    case .system(let error): ErrorDescription.of(error.errno)
    }
  }

  /// The cause, which determines the reaction.
  package var cause: StorageCause {
    switch self {
    // There is no room for the shared-memory file (SQLITE_IOERR_SHMSIZE).
    case .sqlite(_, 4874, _): .noRoom
    case .sqlite(_, let code, _):
      // The lowest byte of an extended code is the primary one (sqlite.org/rescode.html).
      switch code & 0xFF {
      case 3, 23: .denied
      case 5, 6: .busy
      case 8: .readOnly
      case 10: .diskError
      case 11, 26: .damaged
      case 13: .noRoom
      default: .other
      }
    case .column, .noRow: .damaged
    case .otherSchema(let found, let supported): found > supported ? .laterVersion : .other
    case .value, .notAFile, .otherApplication: .other
    case .system(let error):
      if error.isLackOfRoom {
        .noRoom
      } else if error.isPermission {
        .denied
      } else if error.isReadOnly {
        .readOnly
      } else if error.isDiskError {
        .diskError
      } else {
        .other
      }
    }
  }
}
