/// The segments of a JPEG file (ITU-T T.81, annex B), parsed to find its EXIF; everything else is kept unchanged.
struct JPEGFile: Sendable {
  let bytes: [UInt8]
  /// The segment that contains the EXIF, from its marker to its end; `nil` if there is none before the image data.
  let segment: Range<Int>?

  /// The number of bytes in the segment before the EXIF: marker, length, `Exif` and two zeros.
  static let prefixLength = 10
  /// The maximum length of a segment without its marker (its length field has 16 bits).
  static let maximumLength = 65_535

  init(_ bytes: [UInt8]) throws(PhotographError) {
    guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { throw .notJPEG }
    var offset = 2
    var found: Range<Int>?
    var hasLinks = false
    while true {
      guard offset + 1 < bytes.count, bytes[offset] == 0xFF else { throw .damaged(at: offset) }
      let marker = bytes[offset + 1]
      // Fill bytes may precede any marker.
      if marker == 0xFF {
        offset += 1
        continue
      }
      // Start of scan: the image data follows.
      if marker == 0xDA { break }
      guard marker != 0x00, marker != 0x01, !(0xD0...0xD9).contains(marker), offset + 4 <= bytes.count else {
        throw .damaged(at: offset)
      }
      let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
      let end = offset + 2 + length
      guard length >= 2, end <= bytes.count else { throw .damaged(at: offset) }
      let content = bytes[(offset + 4)..<end]
      if found == nil {
        if marker == 0xE1, content.starts(with: "Exif\0\0".utf8) { found = offset..<end }
        if marker == 0xE2, content.starts(with: "MPF\0".utf8) { hasLinks = true }
      }
      offset = end
    }
    // Offsets to other pictures count from the MPF segment. They become wrong if an EXIF segment behind it grows.
    if found != nil, hasLinks { throw .linkedPictures }
    self.bytes = bytes
    segment = found
  }

  /// The EXIF, starting with its byte order field.
  var exif: [UInt8]? { segment.map { Array(bytes[($0.lowerBound + Self.prefixLength)..<$0.upperBound]) } }

  /// The file with its EXIF replaced.
  func replacing(exif: [UInt8]) throws(PhotographError) -> [UInt8] {
    guard let segment else { throw .noTime }
    let length = exif.count + Self.prefixLength - 2
    guard length <= Self.maximumLength else { throw .noRoom }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + exif.count - segment.count + Self.prefixLength)
    result += bytes[..<segment.lowerBound]
    result += [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]
    result += "Exif\0\0".utf8
    result += exif
    result += bytes[segment.upperBound...]
    return result
  }
}
