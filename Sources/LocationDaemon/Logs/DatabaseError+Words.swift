import LinuxIO
import LocationStore

extension DatabaseError {
  /// The cause as a clause, for a person.
  var words: String {
    switch self {
    case .sqlite(let operation, let code, let message): "SQLite could not \(operation): \(message), code \(code)"
    case .column(let column, let expected, let found): "column \(column) holds \(found) instead of \(expected)"
    case .noRow(let statement): "no row came of \(statement)"
    case .newerSchema(let found, let supported):
      "it was written by a later version: its schema is \(found), this one knows \(supported)"
    case .value(let expected, let found): "expected \(expected), found \(found)"
    case .system(let error): error.description
    }
  }
}
