internal import CSQLite

/// A prepared statement.
///
/// Safe: the pointer is valid as long as this value lives, which cannot be copied; SQLite keeps a connection's memory until
/// its last statement is finalized (sqlite3_close_v2).
@safe package struct Statement: ~Copyable {
  private let pointer: OpaquePointer
  private let connection: OpaquePointer
  private let text: String

  init(_ text: String, connection: OpaquePointer) throws(DatabaseError) {
    var pointer: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(connection, text, -1, &pointer, nil)
    guard code == SQLITE_OK, let pointer = unsafe pointer else {
      throw unsafe DatabaseError.last(of: connection, operation: text)
    }
    unsafe self.pointer = pointer
    unsafe self.connection = connection
    self.text = text
  }

  deinit { unsafe sqlite3_finalize(pointer) }

  /// Resets the statement and binds these parameter values, in order.
  package mutating func bind(_ values: [DatabaseValue]) throws(DatabaseError) {
    unsafe sqlite3_reset(pointer)
    unsafe sqlite3_clear_bindings(pointer)
    for (index, value) in values.enumerated() {
      let position = Int32(index + 1)
      let code =
        switch value {
        case .null: unsafe sqlite3_bind_null(pointer, position)
        case .integer(let number): unsafe sqlite3_bind_int64(pointer, position, number)
        case .real(let number): unsafe sqlite3_bind_double(pointer, position, number)
        // -1 is SQLITE_TRANSIENT, a macro: SQLite copies the text.
        case .text(let text):
          unsafe sqlite3_bind_text(
            pointer, position, text, Int32(text.utf8.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        // A null pointer would bind NULL instead of an empty blob.
        case .blob(let bytes) where bytes.isEmpty: unsafe sqlite3_bind_zeroblob(pointer, position, 0)
        case .blob(let bytes):
          unsafe sqlite3_bind_blob(
            pointer, position, bytes, Int32(bytes.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
      guard code == SQLITE_OK else { throw unsafe DatabaseError.last(of: connection, operation: text) }
    }
  }

  /// Resets the statement and binds this whole number; the other parameters keep their values.
  package mutating func bind(integer: Int64) throws(DatabaseError) {
    unsafe sqlite3_reset(pointer)
    try bind(integer, at: 1)
  }

  /// Resets the statement and binds these whole numbers, in order; the other parameters keep their values.
  package mutating func bind(
    integers first: Int64, _ second: Int64, _ third: Int64, _ fourth: Int64
  ) throws(DatabaseError) {
    unsafe sqlite3_reset(pointer)
    try bind(first, at: 1)
    try bind(second, at: 2)
    try bind(third, at: 3)
    try bind(fourth, at: 4)
  }

  private func bind(_ number: Int64, at position: Int32) throws(DatabaseError) {
    guard unsafe sqlite3_bind_int64(pointer, position, number) == SQLITE_OK else {
      throw unsafe DatabaseError.last(of: connection, operation: text)
    }
  }

  /// Advances to the next row; `false` if there is none.
  package mutating func step() throws(DatabaseError) -> Bool {
    switch unsafe sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw unsafe DatabaseError.last(of: connection, operation: text)
    }
  }

  /// Runs to completion with these parameter values.
  package mutating func run(_ values: [DatabaseValue]) throws(DatabaseError) {
    try bind(values)
    while try step() {}
  }

  /// Releases the current row, whose read lock would keep the write-ahead log from being overwritten.
  package mutating func end() { unsafe sqlite3_reset(pointer) }

  // MARK: The row's columns, from 0

  package func integer(_ column: Int) throws(DatabaseError) -> Int64 {
    try expect(.integer, in: column)
    return unsafe sqlite3_column_int64(pointer, Int32(column))
  }

  package func text(_ column: Int) throws(DatabaseError) -> String {
    try expect(.text, in: column)
    let length = Int(unsafe sqlite3_column_bytes(pointer, Int32(column)))
    guard let bytes = unsafe sqlite3_column_text(pointer, Int32(column)) else { return "" }
    return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self)
  }

  package func blob(_ column: Int) throws(DatabaseError) -> [UInt8] {
    try expect(.blob, in: column)
    let length = Int(unsafe sqlite3_column_bytes(pointer, Int32(column)))
    guard let bytes = unsafe sqlite3_column_blob(pointer, Int32(column)) else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: length))
  }

  /// Passes the bytes of a blob to `body` without copying them; none for NULL.
  package func withBlob<R>(_ column: Int, _ body: (Span<UInt8>) -> R) throws(DatabaseError) -> R {
    if kind(column) != .null { try expect(.blob, in: column) }
    let length = Int(unsafe sqlite3_column_bytes(pointer, Int32(column)))
    let bytes = unsafe UnsafeBufferPointer(
      start: sqlite3_column_blob(pointer, Int32(column))?.assumingMemoryBound(to: UInt8.self), count: length)
    return unsafe body(bytes.span)
  }

  /// A number, integer or not; `nil` for NULL.
  package func optionalReal(_ column: Int) throws(DatabaseError) -> Double? {
    switch kind(column) {
    case .null: return nil
    case .integer, .real: return unsafe sqlite3_column_double(pointer, Int32(column))
    case .text, .blob: throw .column(column, expected: .real, found: kind(column))
    }
  }

  /// A whole number; `nil` for NULL.
  package func optionalInteger(_ column: Int) throws(DatabaseError) -> Int64? {
    kind(column) == .null ? nil : try integer(column)
  }

  /// A text; `nil` for NULL.
  package func optionalText(_ column: Int) throws(DatabaseError) -> String? {
    kind(column) == .null ? nil : try text(column)
  }

  /// Bytes; `nil` for NULL.
  package func optionalBlob(_ column: Int) throws(DatabaseError) -> [UInt8]? {
    kind(column) == .null ? nil : try blob(column)
  }

  private func expect(_ expected: DatabaseKind, in column: Int) throws(DatabaseError) {
    let found = kind(column)
    guard found == expected else { throw .column(column, expected: expected, found: found) }
  }

  private func kind(_ column: Int) -> DatabaseKind {
    switch unsafe sqlite3_column_type(pointer, Int32(column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }
}

extension DatabaseError {
  /// The error of the connection's last call.
  static func last(of connection: OpaquePointer, operation: String) -> DatabaseError {
    let code = unsafe sqlite3_extended_errcode(connection)
    let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) } ?? ""
    return .sqlite(operation: operation, code: code, message: message)
  }
}
