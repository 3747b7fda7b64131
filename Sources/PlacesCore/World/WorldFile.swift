import WireFormats

/// The header of `world.zones` or `world.towns`: where the sections are, and the origin of the data.
///
/// Documentation/FileFormats.md, "Data of the world". The bytes are not trusted: every offset is checked before it is used, so that
/// a damaged file gives wrong answers at worst. The bytes stay with the caller, who maps the file.
package struct WorldFile: Sendable {
  /// Why a file is not used.
  package enum Problem: Error, Hashable, Sendable {
    case wrongFormat
    case wrongVersion(Int)
    /// The part in which the damage was detected.
    case damaged(String)

    /// The error for the file at `path`.
    package func error(path: String) -> PlaceError {
      switch self {
      case .wrongFormat: .wrongFormat(path: path)
      case .wrongVersion(let version): .wrongVersion(path: path, found: version)
      case .damaged(let part): .damaged(path: path, part: part)
      }
    }
  }

  package static let version = 1
  private static let headerSize = 160
  private static let mostSections = 15
  /// The largest file that is read.
  package static let largestSize = 256 << 20

  package let provenance: PlaceProvenance
  /// The packages from which the file was made.
  package let origin: String
  private let size: Int
  private let checksum: UInt32
  private let sections: InlineArray<15, Range<Int>>

  /// Reads the header; `magic` is the first eight bytes of this kind of file.
  package init(_ bytes: Span<UInt8>, magic: StaticString) throws(Problem) {
    guard bytes.count >= Self.headerSize, Self.starts(bytes, with: magic) else { throw .wrongFormat }
    let version = bytes.u16(8)
    guard version == Self.version else { throw .wrongVersion(version) }
    var header = CRC32C()
    for index in 0..<Self.headerSize where !(20..<24).contains(index) { header.add(bytes[index]) }
    guard bytes.u16(10) == Self.headerSize, header.value == UInt32(bytes.u32(20)) else { throw .damaged("header") }
    size = bytes.u32(12)
    guard size == bytes.count else { throw .damaged("size") }
    checksum = UInt32(bytes.u32(16))
    var sections = InlineArray<15, Range<Int>>(repeating: 0..<0)
    for index in 0..<Self.mostSections {
      let (offset, count) = (bytes.u32(32 + 8 * index), bytes.u32(36 + 8 * index))
      guard offset + count <= bytes.count else { throw .damaged("sections") }
      sections[index] = offset..<offset + count
    }
    self.sections = sections
    var texts: [String] = []
    var position = bytes.u32(24)
    let end = position + bytes.u32(28)
    guard end <= bytes.count else { throw .damaged("attribution") }
    for _ in 0..<4 {
      guard let text = bytes.text(at: position, before: end) else { throw .damaged("attribution") }
      texts.append(text)
      position += 1 + text.utf8.count
    }
    provenance = PlaceProvenance(name: "world", license: texts[0], attribution: texts[1], dataDate: texts[2])
    origin = texts[3]
  }

  /// The bytes of a section, by its number in the layout.
  subscript(section: Int) -> Range<Int> { sections[section] }

  /// Whether the bytes have the size of the file whose header this is: the offsets are valid in them.
  @inline(__always) func isOf(_ bytes: Span<UInt8>) -> Bool { bytes.count == size }

  /// Whether all bytes are as they were written. Reads the whole file.
  package func isIntact(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count == size else { return false }
    var body = CRC32C()
    body.add(bytes.extracting(Self.headerSize..<size))
    return body.value == checksum
  }

  private static func starts(_ bytes: Span<UInt8>, with magic: StaticString) -> Bool {
    let text = magic.description.utf8
    return text.count <= bytes.count && zip(text, 0...).allSatisfy { bytes[$1] == $0 }
  }
}

extension Span<UInt8> {
  /// A number of two bytes; the caller has checked the range.
  @inline(__always) func u16(_ at: Int) -> Int { Int(self[at]) | Int(self[at &+ 1]) &<< 8 }

  /// A number of four bytes.
  @inline(__always) func u32(_ at: Int) -> Int { u16(at) | u16(at &+ 2) &<< 16 }

  /// A signed number of four bytes.
  @inline(__always) func i32(_ at: Int) -> Int { Int(Int32(truncatingIfNeeded: u32(at))) }

  /// A text with its length in the first byte; `nil` if it does not end before `end`.
  func text(at position: Int, before end: Int) -> String? {
    guard position >= 0, position < end, end <= count else { return nil }
    return text(in: position + 1..<position + 1 + Int(self[position]), before: end)
  }

  /// The text of a range; invalid UTF-8 is replaced.
  func text(in range: Range<Int>, before end: Int) -> String? {
    guard range.lowerBound >= 0, range.upperBound <= end, end <= count else { return nil }
    return String(decoding: range.map { self[$0] }, as: UTF8.self)
  }
}
