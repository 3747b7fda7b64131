/// In which format a file of regions is.
package enum RegionFileFormat: Hashable, Sendable {
  case geoJSON
  case kml

  /// What has more blanks at its beginning was not made to be read.
  private static let mostBlanks = 4096

  /// The format of a file that begins so.
  ///
  /// - Returns: `nil` where more bytes are wanted.
  package init?(first: [UInt8], isWhole: Bool) throws(RegionImportError) {
    guard isWhole || first.count >= 4 else { return nil }
    // PKWARE APPNOTE 4.3.7, and RFC 1952, section 2.3.1.
    if first.starts(with: [0x50, 0x4B, 0x03, 0x04]) { throw .packed(.zip) }
    if first.starts(with: [0x1F, 0x8B]) { throw .packed(.gzip) }
    let text = first.starts(with: [0xEF, 0xBB, 0xBF]) ? first[3...] : first[...]
    let mark = text.prefix(Self.mostBlanks).first { byte in
      // RFC 8142: a record separator.
      byte != 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D && byte != 0x1E
    }
    switch mark {
    case UInt8(ascii: "{"), UInt8(ascii: "["): self = .geoJSON
    case UInt8(ascii: "<"): self = .kml
    case nil where !isWhole && text.count < Self.mostBlanks: return nil
    case _: throw .unknownFormat
    }
  }
}
