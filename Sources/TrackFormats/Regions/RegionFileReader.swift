/// Reads a file of regions as its bytes come, and keeps no more of it than one feature.
package protocol RegionFileReader: Sendable {
  /// What was left out so far, and why.
  var remarks: RegionRemarks { get }

  /// The next bytes, of any number. An error is the file's end.
  mutating func receive(_ bytes: Span<UInt8>) throws(RegionImportError) -> [FoundRegion]
  /// To be called after the last byte.
  mutating func finish() throws(RegionImportError) -> [FoundRegion]
}
