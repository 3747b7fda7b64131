import BusMessages
internal import CSystemd

/// Appends values to a message.
enum MessageAppender {
  static func append(_ values: [BusValue], to message: borrowing OwnedMessage) throws(SystemBusError) {
    for value in values { try append(value, to: message) }
  }

  private static func append(_ value: BusValue, to message: borrowing OwnedMessage) throws(SystemBusError) {
    switch value {
    case .boolean(let flag): try number(flag ? 1 : 0, "b", message)
    case .byte(let number): try self.number(UInt64(number), "y", message)
    case .int32(let number): try self.number(UInt64(bitPattern: Int64(number)), "i", message)
    case .uint32(let number): try self.number(UInt64(number), "u", message)
    case .int64(let number): try self.number(UInt64(bitPattern: number), "x", message)
    case .uint64(let number): try self.number(number, "t", message)
    case .double(let number): try self.number(number.bitPattern, "d", message)
    case .string(let text): try self.text(text, "s", message)
    case .objectPath(let path): try text(path, "o", message)
    case .array(let element, let items): try container("a", element, items, message)
    case .structure(let fields): try container("r", BusValue.signature(of: fields), fields, message)
    case .entry(let key, let value): try container("e", key.signature + value.signature, [key, value], message)
    case .variant(let content): try container("v", content.signature, [content], message)
    }
  }

  private static func number(
    _ number: UInt64, _ type: Unicode.Scalar, _ message: borrowing OwnedMessage
  ) throws(SystemBusError) {
    try check(unsafe csystemd_append_number(message.pointer, code(type), number))
  }

  private static func text(
    _ text: String, _ type: Unicode.Scalar, _ message: borrowing OwnedMessage
  ) throws(SystemBusError) {
    try check(unsafe csystemd_append_text(message.pointer, code(type), text))
  }

  private static func container(
    _ type: Unicode.Scalar, _ contents: String, _ items: [BusValue], _ message: borrowing OwnedMessage
  ) throws(SystemBusError) {
    try check(unsafe csystemd_open(message.pointer, code(type), contents))
    for item in items { try append(item, to: message) }
    try check(unsafe csystemd_shut(message.pointer))
  }

  private static func code(_ type: Unicode.Scalar) -> CChar { CChar(type.value) }

  private static func check(_ result: Int32) throws(SystemBusError) {
    guard result >= 0 else { throw .failed(operation: "write a message", errno: -result) }
  }
}
