/// A region by itself, as what has changed since a file was written.
extension RegionFile {
  /// A file of one region.
  package static func encode(_ region: Region, _ state: RegionState) -> [UInt8] {
    var writer = RegionWriter()
    writer.add(region, state)
    return writer.finish()
  }

  /// The region of a file that has just one.
  package static func decodeOne(_ bytes: Span<UInt8>) throws(RegionFileError) -> (region: Region, state: RegionState) {
    var reader = try RegionReader(checking: bytes)
    guard reader.count == 1 else { throw .count(reader.count) }
    let entry = try reader.nextRegion()
    try reader.finish()
    return entry
  }
}
