import Evaluation

extension FailureSentence {
  /// Why a table could not be read.
  init(_ error: TableError, path: String, remedy: String) {
    self.init("\(TerminalText.sanitized(path)) cannot be read (\(Self.reason(error))): \(remedy).", .badInput)
  }

  private static func reason(_ error: TableError) -> String {
    let line = "line \(error.line)"
    switch error.problem {
    case .empty: return "it has no header"
    case .missingColumn(let column): return "\(line): the header has no column \(column.rawValue)"
    case .repeatedColumn(let column): return "\(line): the header has the column \(column.rawValue) twice"
    case .lineTooLong(let limit): return "\(line) is longer than \(limit) bytes"
    case .tooManyColumns(let limit): return "\(line) has more than \(limit) columns"
    case .tooManyRows(let limit): return "\(line): more than \(limit) rows"
    case .fieldCount(let count, let expected):
      return "\(line) has \(count) \(count == 1 ? "field" : "fields") where the header has \(expected)"
    case .openQuote: return "\(line) has a quotation mark without its other one"
    case .notANumber(let column): return "\(line): \(column.rawValue) is no number"
    case .outOfRange(let column): return "\(line): \(column.rawValue) is out of its range"
    }
  }
}
