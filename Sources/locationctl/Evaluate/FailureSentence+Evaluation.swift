import LocationReplay

extension FailureSentence {
  /// Why a table could not be read.
  init(_ error: TableError, path: String, remedy: String) {
    self.init("\(TerminalText.sanitized(path)) cannot be read (\(Self.reason(error))): \(remedy).", .badInput)
  }

  private static func reason(_ error: TableError) -> String {
    let line = "line \(error.line)"
    switch error.problem {
    case .empty: return "the header is missing"
    case .missingColumn(let column): return "\(line): the header has no column \(column.rawValue)"
    case .repeatedColumn(let column): return "\(line): the header has the column \(column.rawValue) twice"
    case .lineTooLong(let limit): return "\(line) is longer than \(limit) bytes"
    case .tooManyColumns(let limit): return "\(line) has more than \(limit) columns"
    case .tooManyRows(let limit): return "\(line): more than \(limit) rows"
    case .fieldCount(let count, let expected):
      return "\(line) has \(count) \(count == 1 ? "field" : "fields") instead of the \(expected) of the header"
    case .openQuote: return "\(line) has an opening quotation mark without a closing one"
    case .notANumber(let column): return "\(line): \(column.rawValue) is not a number"
    case .outOfRange(let column): return "\(line): \(column.rawValue) is out of range"
    }
  }
}
