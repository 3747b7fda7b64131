import Geodesy

/// The fields of one value, indexed once and then read by number. Unknown fields are skipped.
struct MessageFields: ~Escapable {
  /// The highest number of a field. Higher ones are reserved for future versions.
  static let highest = 31

  private struct Slot {
    var form: FieldForm?
    var number: UInt64 = 0
    var range = 0..<0
  }

  private let bytes: Span<UInt8>
  private var slots = InlineArray<32, Slot>(repeating: Slot())

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) throws(MessageError) {
    self.bytes = bytes
    var cursor = MessageCursor(bytes)
    while !cursor.isAtEnd {
      let tag = try cursor.number()
      guard tag >> 3 > 0, let form = FieldForm(rawValue: UInt8(tag & 7)) else { throw .badTag(tag) }
      var slot = Slot()
      slot.form = form
      switch form {
      case .number: slot.number = try cursor.number()
      case .fixed: slot.number = try cursor.fixed()
      case .bytes: slot.range = try cursor.range()
      }
      guard tag >> 3 <= UInt64(Self.highest) else { continue }
      let field = Int(tag >> 3)
      guard slots[field].form == nil else { throw .repeatedField(field) }
      slots[field] = slot
    }
  }

  // MARK: Optional fields

  func number(_ field: Int) throws(MessageError) -> UInt64? { try slot(field, .number)?.number }

  func signed(_ field: Int) throws(MessageError) -> Int64? {
    try number(field).map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
  }

  /// A number in the range of the type; `nil` if the field is absent.
  func integer<I: FixedWidthInteger>(_ field: Int, _ type: I.Type = I.self) throws(MessageError) -> I? {
    guard let number = try number(field) else { return nil }
    guard let value = I(exactly: number) else { throw .outOfRange(field: field, found: number) }
    return value
  }

  func signedInteger<I: FixedWidthInteger>(_ field: Int, _ type: I.Type = I.self) throws(MessageError) -> I? {
    guard let number = try signed(field) else { return nil }
    guard let value = I(exactly: number) else {
      throw .outOfRange(field: field, found: UInt64(bitPattern: number))
    }
    return value
  }

  func flag(_ field: Int) throws(MessageError) -> Bool? {
    guard let number = try number(field) else { return nil }
    guard number <= 1 else { throw .outOfRange(field: field, found: number) }
    return number == 1
  }

  func duration(_ field: Int) throws(MessageError) -> Duration? { try signed(field).map { .nanoseconds($0) } }

  /// A choice, or a set of them, by its raw value.
  func code<C: RawRepresentable<UInt8>>(_ field: Int, _ type: C.Type = C.self) throws(MessageError) -> C? {
    guard let number = try number(field) else { return nil }
    guard let code = UInt8(exactly: number).flatMap({ C(rawValue: $0) }) else {
      throw .unknownCode(field: field, found: number)
    }
    return code
  }

  /// A finite number; `nil` if the field is absent.
  func double(_ field: Int) throws(MessageError) -> Double? {
    guard let pattern = try slot(field, .fixed)?.number else { return nil }
    let value = Double(bitPattern: pattern)
    guard value.isFinite else { throw .outOfRange(field: field, found: pattern) }
    return value
  }

  func text(_ field: Int) throws(MessageError) -> String? {
    guard let range = try slot(field, .bytes)?.range else { return nil }
    return try text(at: range, of: field)
  }

  func bytes(_ field: Int) throws(MessageError) -> [UInt8]? {
    guard let range = try slot(field, .bytes)?.range else { return nil }
    var payload: [UInt8] = []
    payload.reserveCapacity(range.count)
    for index in range { payload.append(bytes[index]) }
    return payload
  }

  func content<C: MessageContent>(_ field: Int, _ type: C.Type = C.self) throws(MessageError) -> C? {
    guard let range = try slot(field, .bytes)?.range else { return nil }
    return try C(MessageFields(bytes.extracting(range)))
  }

  func list<C: MessageContent>(
    _ field: Int, limit: Int, _ type: C.Type = C.self
  ) throws(MessageError) -> [C]? {
    guard let ranges = try ranges(field, limit: limit) else { return nil }
    var items: [C] = []
    for range in ranges { items.append(try C(MessageFields(bytes.extracting(range)))) }
    return items
  }

  func texts(_ field: Int, limit: Int) throws(MessageError) -> [String]? {
    guard let ranges = try ranges(field, limit: limit) else { return nil }
    var items: [String] = []
    for range in ranges { items.append(try text(at: range, of: field)) }
    return items
  }

  func numbers(_ field: Int, limit: Int) throws(MessageError) -> [Int]? {
    guard let range = try slot(field, .bytes)?.range else { return nil }
    var cursor = MessageCursor(bytes.extracting(range))
    var numbers: [Int] = []
    while !cursor.isAtEnd {
      guard numbers.count < limit else { throw .tooLong(field: field, limit: limit, found: limit + 1) }
      let number = try cursor.number()
      guard let value = Int(exactly: number) else { throw .outOfRange(field: field, found: number) }
      numbers.append(value)
    }
    return numbers
  }

  // MARK: -

  private func slot(_ field: Int, _ form: FieldForm) throws(MessageError) -> Slot? {
    guard let found = slots[field].form else { return nil }
    guard found == form else { throw .wrongForm(field: field, expected: form, found: found) }
    return slots[field]
  }

  private func ranges(_ field: Int, limit: Int) throws(MessageError) -> [Range<Int>]? {
    guard let outer = try slot(field, .bytes)?.range else { return nil }
    var cursor = MessageCursor(bytes.extracting(outer))
    var ranges: [Range<Int>] = []
    while !cursor.isAtEnd {
      guard ranges.count < limit else { throw .tooLong(field: field, limit: limit, found: limit + 1) }
      let range = try cursor.range()
      ranges.append(outer.lowerBound + range.lowerBound..<outer.lowerBound + range.upperBound)
    }
    return ranges
  }

  private func text(at range: Range<Int>, of field: Int) throws(MessageError) -> String {
    guard range.count <= MessageLimits.text else {
      throw .tooLong(field: field, limit: MessageLimits.text, found: range.count)
    }
    var copy: [UInt8] = []
    copy.reserveCapacity(range.count)
    for index in range { copy.append(bytes[index]) }
    guard let text = String(validating: copy, as: UTF8.self) else { throw .notUTF8(field: field) }
    return text
  }
}

extension Optional {
  /// The value of a required field; throws if it is absent.
  func required(_ field: Int) throws(MessageError) -> Wrapped {
    guard let self else { throw .missingField(field) }
    return self
  }
}

/// Reads the wire types of messages from the front of some bytes, and never beyond their end.
struct MessageCursor: ~Escapable {
  let bytes: Span<UInt8>
  var offset = 0

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  @_lifetime(self: copy self)
  mutating func number() throws(MessageError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      // The tenth byte may contain only the last bit.
      guard shift < 63 || byte <= 1 else { throw .endlessNumber }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw .truncated(expected: 1, found: 0)
  }

  @_lifetime(self: copy self)
  mutating func fixed() throws(MessageError) -> UInt64 {
    guard bytes.count - offset >= 8 else { throw .truncated(expected: 8, found: bytes.count - offset) }
    var value: UInt64 = 0
    for index in 0..<8 { value |= UInt64(bytes[offset + index]) << (8 * UInt64(index)) }
    offset += 8
    return value
  }

  /// Reads a length, and returns the range of that many bytes.
  @_lifetime(self: copy self)
  mutating func range() throws(MessageError) -> Range<Int> {
    let count = try number()
    let left = bytes.count - offset
    guard count <= UInt64(left) else { throw .truncated(expected: Int(clamping: count), found: left) }
    defer { offset += Int(count) }
    return offset..<(offset + Int(count))
  }
}

/// Why bytes are not a valid message: the expected and the found value.
package enum MessageError: Error, Hashable, Sendable {
  /// Fewer bytes than their length says.
  case truncated(expected: Int, found: Int)
  /// More bytes than a message may have.
  case oversize(limit: Int, found: UInt64)
  /// A number of more than 64 bits.
  case endlessNumber
  /// The tag has field number 0, or an undefined wire type in its three low bits.
  case badTag(UInt64)
  case repeatedField(Int)
  case missingField(Int)
  case wrongForm(field: Int, expected: FieldForm, found: FieldForm)
  /// The number is out of the field's range.
  case outOfRange(field: Int, found: UInt64)
  case notUTF8(field: Int)
  /// A text or a list longer than its limit.
  case tooLong(field: Int, limit: Int, found: Int)
  /// A case that this version does not support.
  case unknownCode(field: Int, found: UInt64)
  case unknownMessage(UInt64)
}

/// The wire type of a field.
package enum FieldForm: UInt8, Hashable, Sendable {
  /// Seven bits in each byte, the lowest first; the eighth bit is set if more follow.
  case number = 0
  /// Eight bytes, little-endian.
  case fixed = 1
  /// A length as a `number`, followed by that many bytes.
  case bytes = 2
}
