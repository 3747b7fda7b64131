package import Geodesy
package import LocationPolicy

/// Writes a message field by field. Texts and lists are truncated to their limits, so that the reader accepts them.
struct MessageWriter {
  private(set) var bytes: [UInt8]

  /// The fields of a value inside a message.
  init() { bytes = [] }

  /// A whole message: it begins with the length of the rest, which `frame` fills in.
  init(type: UInt64) {
    bytes = [0, 0, 0, 0]
    bytes.reserveCapacity(256)
    append(type)
  }

  /// Ends the message and returns its frame: length (four bytes, little-endian), type, fields.
  mutating func frame() -> [UInt8] {
    let count = UInt32(truncatingIfNeeded: bytes.count - FrameReader.prefix)
    for index in 0..<FrameReader.prefix { bytes[index] = UInt8(truncatingIfNeeded: count >> (8 * index)) }
    return bytes
  }

  mutating func put(_ field: Int, _ number: UInt64?) {
    guard let number else { return }
    tag(field, .number)
    append(number)
  }

  /// A signed number: its sign is the lowest bit.
  mutating func put(_ field: Int, signed number: Int64?) {
    put(field, number.map { UInt64(bitPattern: ($0 << 1) ^ ($0 >> 63)) })
  }

  mutating func put(_ field: Int, signed number: Int?) { put(field, signed: number.map(Int64.init)) }

  mutating func put(_ field: Int, _ flag: Bool?) {
    put(field, flag.map { $0 ? 1 : 0 as UInt64 })
  }

  /// Whole nanoseconds.
  mutating func put(_ field: Int, _ duration: Duration?) { put(field, signed: duration?.wholeNanoseconds) }

  /// A choice, or a set of them, by its raw value. A raw value never gets another meaning: a new case has a new one.
  mutating func put(_ field: Int, _ code: (some RawRepresentable<UInt8>)?) {
    put(field, code.map { UInt64($0.rawValue) })
  }

  mutating func put(_ field: Int, _ value: Double?) {
    guard let value else { return }
    tag(field, .fixed)
    for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> (8 * index))) }
  }

  mutating func put(_ field: Int, _ text: String?) {
    guard let text else { return }
    tag(field, .bytes)
    append(text: text)
  }

  /// Bytes of any kind.
  mutating func put(_ field: Int, _ payload: [UInt8]) {
    tag(field, .bytes)
    append(UInt64(payload.count))
    bytes += payload
  }

  mutating func put(_ field: Int, _ content: (some MessageContent)?) {
    guard let content else { return }
    tag(field, .bytes)
    append(content)
  }

  /// At most `limit` values, each preceded by its length.
  mutating func put(_ field: Int, _ list: [some MessageContent]?, limit: Int) {
    guard let list else { return }
    var items = MessageWriter()
    for item in list.prefix(limit) { items.append(item) }
    tag(field, .bytes)
    append(items)
  }

  mutating func put(_ field: Int, _ texts: [String], limit: Int) {
    var items = MessageWriter()
    for text in texts.prefix(limit) { items.append(text: text) }
    tag(field, .bytes)
    append(items)
  }

  mutating func put(_ field: Int, _ numbers: [Int], limit: Int) {
    var items = MessageWriter()
    for number in numbers.prefix(limit) { items.append(UInt64(clamping: number)) }
    tag(field, .bytes)
    append(items)
  }

  /// An item of a list, preceded by its length.
  mutating func append(item: [UInt8]) {
    append(UInt64(item.count))
    bytes += item
  }

  // MARK: -

  private mutating func tag(_ field: Int, _ form: FieldForm) {
    append(UInt64(field) << 3 | UInt64(form.rawValue))
  }

  private mutating func append(_ content: some MessageContent) {
    // One byte is reserved for the length, which is enough for nearly all contents. Longer contents are moved afterwards.
    let start = bytes.count
    bytes.append(0)
    content.write(to: &self)
    let count = bytes.count - start - 1
    guard count >= 0x80 else {
      bytes[start] = UInt8(count)
      return
    }
    var length = MessageWriter()
    length.append(UInt64(count))
    bytes.replaceSubrange(start...start, with: length.bytes)
  }

  private mutating func append(_ inner: MessageWriter) {
    append(UInt64(inner.bytes.count))
    bytes += inner.bytes
  }

  private mutating func append(text: String) {
    var text = text[...]
    if text.utf8.count > MessageLimits.text {
      // Do not cut between the bytes of a character's scalar.
      var end = text.utf8.index(text.startIndex, offsetBy: MessageLimits.text)
      // 10xxxxxx continues the previous scalar.
      while text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
      text = text[..<end]
    }
    append(UInt64(text.utf8.count))
    bytes += text.utf8
  }

  private mutating func append(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}

/// A value written as numbered fields. A newer side may add fields, which an older one skips; absent fields are `nil`.
protocol MessageContent {
  func write(to message: inout MessageWriter)
  init(_ fields: borrowing MessageFields) throws(MessageError)
}

/// Values that the service stores in their wire format: fields may be added, and every read is validated.
extension Visit {
  package var keptBytes: [UInt8] { MessageWriter.bytes(of: self) }
  package init(kept bytes: [UInt8]) throws(MessageError) { try self.init(MessageFields(bytes.span)) }
}

extension PositionFix {
  package var keptBytes: [UInt8] { MessageWriter.bytes(of: self) }
  package init(kept bytes: [UInt8]) throws(MessageError) { try self.init(MessageFields(bytes.span)) }
}

extension MonitoringEvent {
  package var keptBytes: [UInt8] { MessageWriter.bytes(of: self) }
  package init(kept bytes: [UInt8]) throws(MessageError) { try self.init(MessageFields(bytes.span)) }
}

extension MessageWriter {
  fileprivate static func bytes(of content: some MessageContent) -> [UInt8] {
    var message = MessageWriter()
    content.write(to: &message)
    return message.bytes
  }
}
