/// Why a file is no table of access points.
package enum AccessPointTableError: Error, Hashable, Sendable {
  /// It has no line with names of columns.
  case noHeader
  /// Its header lacks this one.
  case missingColumn(String)
  /// Not one row can be read; the first that cannot, from 1.
  case nothingReadable(line: Int)
}
