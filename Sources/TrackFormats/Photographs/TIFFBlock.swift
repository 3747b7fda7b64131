/// The directories of an EXIF block (TIFF 6.0, section 2). Every offset is checked on reading. Except for the offset of the
/// first directory, data is only appended, so that data referenced by offset (above all maker notes) stays valid.
struct TIFFBlock: Sendable {
  /// One entry of a directory.
  struct Entry: Hashable, Sendable {
    let tag: UInt16
    let type: UInt16
    let count: Int
    /// The last four bytes of the entry, unconverted: the value if it fits, else its offset.
    let field: [UInt8]
  }
  /// One directory.
  struct Directory: Hashable, Sendable {
    var entries: [Entry]
    /// The offset of the next directory; 0 for none.
    var next: Int

    func entry(_ tag: UInt16) -> Entry? { entries.first { $0.tag == tag } }
  }

  private(set) var bytes: [UInt8]
  let isLittleEndian: Bool

  init(_ bytes: [UInt8]) throws(PhotographError) {
    guard bytes.count >= 8 else { throw .damaged(at: 0) }
    switch (bytes[0], bytes[1]) {
    case (0x49, 0x49): isLittleEndian = true
    case (0x4D, 0x4D): isLittleEndian = false
    default: throw .damaged(at: 0)
    }
    self.bytes = bytes
    guard try short(at: 2) == 42 else { throw .damaged(at: 2) }
  }

  /// The offset of the first directory.
  func firstDirectory() throws(PhotographError) -> Int { try long(at: 4) }

  func directory(at offset: Int) throws(PhotographError) -> Directory {
    let count = Int(try short(at: offset))
    var entries: [Entry] = []
    for index in 0..<count {
      let start = offset + 2 + 12 * index
      let field = start + 8
      guard field + 4 <= bytes.count else { throw .damaged(at: start) }
      entries.append(
        Entry(
          tag: try short(at: start), type: try short(at: start + 2), count: try long(at: start + 4),
          field: Array(bytes[field..<(field + 4)])))
    }
    return Directory(entries: entries, next: try long(at: offset + 2 + 12 * count))
  }

  /// The directory that an entry points to.
  func directory(of entry: Entry) throws(PhotographError) -> Directory { try directory(at: number(entry)) }

  /// The text of an ASCII entry, without the zero at its end; `nil` for an entry of another type, an empty one, or one
  /// of more than 64 bytes.
  func text(_ entry: Entry) throws(PhotographError) -> String? {
    guard entry.type == 2, entry.count > 0 else { return nil }
    guard entry.count > 4 else { return Self.text(entry.field.prefix(entry.count)) }
    let offset = number(entry)
    // No text that this target reads is longer.
    guard entry.count <= 64 else { return nil }
    guard offset + entry.count <= bytes.count else { throw .damaged(at: offset) }
    return Self.text(bytes[offset..<(offset + entry.count)])
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// An entry's field as a 32-bit number.
  func number(_ entry: Entry) -> Int {
    (isLittleEndian ? entry.field.reversed() : entry.field).reduce(0) { $0 << 8 | Int($1) }
  }

  private func short(at offset: Int) throws(PhotographError) -> UInt16 {
    guard offset >= 0, offset + 2 <= bytes.count else { throw .damaged(at: offset) }
    let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
    return isLittleEndian ? second << 8 | first : first << 8 | second
  }

  private func long(at offset: Int) throws(PhotographError) -> Int {
    guard offset >= 0, offset + 4 <= bytes.count else { throw .damaged(at: offset) }
    let four = bytes[offset..<(offset + 4)]
    return (isLittleEndian ? Array(four.reversed()) : Array(four)).reduce(0) { $0 << 8 | Int($1) }
  }

  // MARK: Adding

  /// The bytes of a number in this block's byte order.
  func encoded(_ value: UInt32) -> [UInt8] {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    return isLittleEndian ? bytes.reversed() : bytes
  }

  func encoded(_ value: UInt16) -> [UInt8] {
    let bytes = [8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    return isLittleEndian ? bytes.reversed() : bytes
  }

  /// Returns the entry for `value`. Appends values longer than 4 bytes at an even offset; shorter ones are in the entry.
  mutating func append(tag: UInt16, type: UInt16, count: Int, value: [UInt8]) -> Entry {
    guard value.count > 4 else {
      return Entry(tag: tag, type: type, count: count, field: value + Array(repeating: 0, count: 4 - value.count))
    }
    align()
    let offset = UInt32(clamping: bytes.count)
    bytes += value
    return Entry(tag: tag, type: type, count: count, field: encoded(offset))
  }

  /// The offset of the next appended directory.
  var evenEnd: Int { bytes.count + bytes.count % 2 }

  /// Appends a directory and returns its offset.
  mutating func append(_ directory: Directory) -> Int {
    align()
    let offset = bytes.count
    bytes += encoded(UInt16(clamping: directory.entries.count))
    for entry in directory.entries {
      bytes += encoded(entry.tag) + encoded(entry.type) + encoded(UInt32(clamping: entry.count)) + entry.field
    }
    bytes += encoded(UInt32(clamping: directory.next))
    return offset
  }

  /// Makes the directory at `offset` the first one.
  mutating func setFirstDirectory(_ offset: Int) {
    bytes.replaceSubrange(4..<8, with: encoded(UInt32(clamping: offset)))
  }

  private mutating func align() {
    if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
  }
}
