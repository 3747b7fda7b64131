/// Why bytes are no file of regions.
package enum RegionFileError: Error, Hashable, Sendable {
  /// So many bytes are too few.
  case size(Int)
  case magic
  case version(UInt8)
  case checksum(expected: UInt32, found: UInt32)
  /// It says to have so many regions, more than fit into its bytes.
  case count(Int)
  /// A region ends beyond the end, or the last one before it.
  case length(offset: Int)
  /// Bits that mean nothing in this version.
  case flags(UInt8, offset: Int)
  /// Not UTF-8.
  case identifier(offset: Int)
  /// An identifier that another region has.
  case repeated(String)
  /// What is described can be no region.
  case region(RegionError, offset: Int)
}
