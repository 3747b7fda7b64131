/// Writes the values of a message to the helper one after the other: integers little endian, texts and bytes after their length (four
/// bytes), an optional value after a byte 0 or 1.
struct FleetFieldWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put<I: FixedWidthInteger>(_ number: I) {
    for index in 0..<I.bitWidth / 8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }

  mutating func put(_ flag: Bool) { put(flag ? 1 : 0 as UInt8) }

  mutating func put(bytes payload: [UInt8]) {
    put(UInt32(payload.count))
    bytes += payload
  }

  mutating func put(_ text: String) { put(bytes: Array(text.utf8)) }

  mutating func put<Value>(_ value: Value?, _ write: (inout FleetFieldWriter, Value) -> Void) {
    put(value != nil)
    if let value { write(&self, value) }
  }
}

/// Reads them, and never beyond the end; `nil` for anything that the writer does not write.
struct FleetFieldReader {
  private let content: ArraySlice<UInt8>
  private var offset: Int

  init(_ content: ArraySlice<UInt8>) { (self.content, offset) = (content, content.startIndex) }

  var isAtEnd: Bool { offset == content.endIndex }

  mutating func number<I: FixedWidthInteger>(_ type: I.Type) -> I? {
    let count = I.bitWidth / 8
    guard content.endIndex - offset >= count else { return nil }
    defer { offset += count }
    return (0..<count).reduce(0) { $0 | I(truncatingIfNeeded: content[offset + $1]) << (8 * $1) }
  }

  mutating func flag() -> Bool? {
    switch number(UInt8.self) {
    case 0: false
    case 1: true
    default: nil
    }
  }

  mutating func bytes(limit: Int) -> [UInt8]? {
    guard let count = number(UInt32.self).map(Int.init), count <= limit, count <= content.endIndex - offset else {
      return nil
    }
    defer { offset += count }
    return Array(content[offset..<offset + count])
  }

  mutating func text(limit: Int) -> String? { bytes(limit: limit).flatMap { String(validating: $0, as: UTF8.self) } }

  /// One line of text, without control characters; may be empty.
  mutating func line(limit: Int) -> String? {
    guard let text = text(limit: limit), text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      return nil
    }
    return text
  }

  /// `.some(nil)`: the value is absent; `nil`: malformed.
  mutating func optional<Value>(_ read: (inout FleetFieldReader) -> Value?) -> Value?? {
    guard let isPresent = flag() else { return nil }
    guard isPresent else { return .some(nil) }
    guard let value = read(&self) else { return nil }
    return .some(value)
  }
}
