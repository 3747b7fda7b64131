/// The two copies.
extension SegmentHeader {
  /// The header from the beginning of a file, as far as one copy is whole.
  package static func either(_ bytes: Span<UInt8>) -> SegmentHeader? {
    for offset in [0, size] where bytes.count >= offset + size {
      if let header = SegmentHeader(bytes.extracting(offset..<offset + size)) { return header }
    }
    return nil
  }
}
