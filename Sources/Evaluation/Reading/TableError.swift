/// Why a table of positions cannot be read, and in which of its lines.
package struct TableError: Error, Hashable, Sendable {
  /// The line, counted from 1.
  package let line: Int
  package let problem: Problem

  package enum Problem: Hashable, Sendable {
    /// There is not even a header.
    case empty
    /// The header lacks a column that is needed.
    case missingColumn(TableColumn)
    /// The header has a column twice.
    case repeatedColumn(TableColumn)
    /// A line longer than `limit` bytes.
    case lineTooLong(limit: Int)
    /// More columns than `limit`.
    case tooManyColumns(limit: Int)
    /// More rows than `limit`.
    case tooManyRows(limit: Int)
    /// As many fields as the header has would be `expected`.
    case fieldCount(Int, expected: Int)
    /// A quotation mark without its other one.
    case openQuote
    /// A field that is no decimal number.
    case notANumber(TableColumn)
    /// A number that the column cannot have.
    case outOfRange(TableColumn)
  }
}
