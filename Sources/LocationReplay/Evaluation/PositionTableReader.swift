import WireFormats

/// Reads a table of positions (CSV, RFC 4180 without line ends inside fields) incrementally: call `push` with any part of the
/// file, then `finish` at its end. The header names the columns, in any order; unknown columns are ignored. Buffers at most
/// one unfinished line.
package struct PositionTableReader: Sendable {
  /// The maximum length of a line, bytes.
  package static let maximumLine = 4096
  /// The maximum number of columns.
  package static let maximumColumns = 256
  /// The maximum number of rows: nearly six days at 10 Hz.
  package static let maximumRows = 5_000_000

  /// The columns of the header by position, `nil` entries for unknown ones; `nil` before the header was read.
  private var columns: [TableColumn?]?
  private var line: [UInt8] = []
  private var lineNumber = 0
  private var rows = 0

  /// A reader at the beginning of a file.
  package init() {}

  /// Whether the header has `column`; `false` before the header was read.
  package func has(_ column: TableColumn) -> Bool { columns?.contains(column) ?? false }

  /// Reads the next bytes of the file and calls `body` for each row that they complete. Skips rows without a time or a
  /// coordinate. Do not call this again after an error.
  package mutating func push(_ bytes: Span<UInt8>, _ body: (PositionRow) -> Void) throws(TableError) {
    for index in bytes.indices {
      guard bytes[index] == UInt8(ascii: "\n") else {
        line.append(bytes[index])
        if line.count > Self.maximumLine {
          lineNumber += 1
          throw fail(.lineTooLong(limit: Self.maximumLine))
        }
        continue
      }
      try takeLine(body)
    }
  }

  /// Ends the file: reads a last line without a line end, and throws if there was no header.
  package mutating func finish(_ body: (PositionRow) -> Void) throws(TableError) {
    if !line.isEmpty { try takeLine(body) }
    guard columns != nil else { throw TableError(line: 1, problem: .empty) }
  }

  private func fail(_ problem: TableError.Problem) -> TableError { TableError(line: lineNumber, problem: problem) }

  private mutating func takeLine(_ body: (PositionRow) -> Void) throws(TableError) {
    lineNumber += 1
    defer { line.removeAll(keepingCapacity: true) }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    // Skip a byte order mark.
    if lineNumber == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    guard !line.allSatisfy(CSVFields.isBlank) else { return }
    let fields: [ArraySlice<UInt8>]
    do throws(CSVFields.Failure) {
      fields = try CSVFields.split(line[...], atMost: Self.maximumColumns)
    } catch {
      switch error {
      case .openQuote: throw fail(.openQuote)
      case .tooMany: throw fail(.tooManyColumns(limit: Self.maximumColumns))
      }
    }
    guard let columns else { return try takeHeader(fields) }
    rows += 1
    guard rows <= Self.maximumRows else { throw fail(.tooManyRows(limit: Self.maximumRows)) }
    guard fields.count == columns.count else { throw fail(.fieldCount(fields.count, expected: columns.count)) }
    var values: [TableColumn: Double] = [:]
    for (column, field) in zip(columns, fields) where !field.isEmpty {
      guard let column else { continue }
      guard let value = CSVFields.number(field) else { throw fail(.notANumber(column)) }
      guard column.range.contains(value) else { throw fail(.outOfRange(column)) }
      values[column] = value
    }
    if let row = PositionRow(values) { body(row) }
  }

  private mutating func takeHeader(_ fields: [ArraySlice<UInt8>]) throws(TableError) {
    let columns = fields.map { field in TableColumn(rawValue: String(decoding: field, as: UTF8.self).lowercased()) }
    for column in TableColumn.allCases {
      let count = columns.count { $0 == column }
      guard count > 0 || !column.isNeeded else { throw fail(.missingColumn(column)) }
      guard count < 2 else { throw fail(.repeatedColumn(column)) }
    }
    self.columns = columns
  }
}

/// A column of a table of positions; the raw value is its name in the header.
package enum TableColumn: String, CaseIterable, Hashable, Sendable {
  /// Seconds since 1970 UTC, or since any other start.
  case time = "t"
  /// Degrees, north positive.
  case latitude = "lat"
  /// Degrees, east positive.
  case longitude = "lon"
  /// The horizontal error that the receiver reports, √(σN² + σE²) in meters.
  case accuracy = "hacc"
  /// Meters per second over ground.
  case speed
  /// Degrees clockwise from true north.
  case course
  /// The true latitude.
  case trueLatitude = "true_lat"
  /// The true longitude.
  case trueLongitude = "true_lon"

  /// The valid range of the column's values.
  var range: ClosedRange<Double> {
    switch self {
    // The range that fits 64-bit nanoseconds.
    case .time: -9e9...9e9
    case .latitude, .trueLatitude: -90...90
    case .longitude, .trueLongitude: -180...180
    case .accuracy: Double.leastNonzeroMagnitude...1e8
    case .speed: 0...1e6
    case .course: 0...360
    }
  }

  /// Whether a table must have this column.
  var isNeeded: Bool {
    switch self {
    case .time, .latitude, .longitude: true
    case .accuracy, .speed, .course, .trueLatitude, .trueLongitude: false
    }
  }
}

/// Why a table of positions cannot be read, and the line of the error.
package struct TableError: Error, Hashable, Sendable {
  /// The line, counted from 1.
  package let line: Int
  package let problem: Problem

  package enum Problem: Hashable, Sendable {
    /// There is no header.
    case empty
    /// The header lacks a required column.
    case missingColumn(TableColumn)
    /// The header has a column twice.
    case repeatedColumn(TableColumn)
    /// A line longer than `limit` bytes.
    case lineTooLong(limit: Int)
    /// More columns than `limit`.
    case tooManyColumns(limit: Int)
    /// More rows than `limit`.
    case tooManyRows(limit: Int)
    /// The row does not have as many fields as the header (`expected`).
    case fieldCount(Int, expected: Int)
    /// A quotation mark that is not closed.
    case openQuote
    /// A field that is not a decimal number.
    case notANumber(TableColumn)
    /// A number outside the range of the column.
    case outOfRange(TableColumn)
  }
}
