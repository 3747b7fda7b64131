package import LocationPolicy

/// What a sealed segment's header says instead of where it comes from (`SegmentHeader`).
package struct SegmentSeal: Hashable, Sendable {
  static let boxSize = SecretBytes.count + Sodium.boxOverhead
  /// Bytes of `text`, of any header: its length tells nothing.
  static let textSize = 768
  /// The longest header that it holds, behind its length.
  static let contentSize = textSize - Sodium.tagSize - 2

  /// Who can open it.
  package var owner: SealKey
  /// The key of the first block, for the owner: `boxSize` bytes.
  package var box: [UInt8]
  /// The open header, closed: `textSize` bytes.
  package var text: [UInt8]
}

/// The open header within a sealed one.
extension SegmentSeal {
  /// The header's own text behind its length, with zeros to the end.
  static func content(of header: SegmentHeader) -> [UInt8] {
    let text = header.text
    precondition(text.count <= contentSize)
    var content: [UInt8] = []
    content.append(littleEndian: UInt16(text.count))
    return content + text + [UInt8](repeating: 0, count: contentSize - text.count)
  }

  /// The header that `content` wrote.
  static func header(of content: [UInt8]) -> SegmentHeader? {
    guard content.count == contentSize + 2 else { return nil }
    let length = Int(content.span.integer(at: 0, as: UInt16.self))
    guard length <= contentSize else { return nil }
    return SegmentHeader(text: Array(content[2..<2 + length]))
  }
}
