import BusMessages
internal import CSystemd

/// Reads the values of a message.
struct MessageReader {
  /// More values and bytes of text than any message has that this program uses; a message with more is refused unread.
  private static let (mostValues, mostBytes, mostDepth) = (1024, 65_536, 8)

  private var values = 0
  private var bytes = 0

  /// The message's values, from its beginning.
  static func values(of message: borrowing OwnedMessage) throws(SystemBusError) -> [BusValue] {
    var reader = MessageReader()
    return try reader.read(message, depth: 0)
  }

  /// The values to the end of the current container.
  private mutating func read(_ message: borrowing OwnedMessage, depth: Int) throws(SystemBusError) -> [BusValue] {
    guard depth <= Self.mostDepth else { throw .tooLarge }
    var found: [BusValue] = []
    while true {
      var type = CChar(0)
      var contents: UnsafePointer<CChar>?
      let result = unsafe csystemd_peek(message.pointer, &type, &contents)
      guard result >= 0 else { throw .failed(operation: "read a message", errno: -result) }
      guard result > 0 else { return found }
      values += 1
      guard values <= Self.mostValues else { throw .tooLarge }
      let inner = unsafe contents.map { unsafe String(cString: $0) } ?? ""
      if let value = try value(message, Character(UnicodeScalar(UInt8(bitPattern: type))), inner, depth) {
        found.append(value)
      }
    }
  }

  /// `nil`: a value of a type that this program does not use, which is skipped.
  private mutating func value(
    _ message: borrowing OwnedMessage, _ type: Character, _ contents: String, _ depth: Int
  ) throws(SystemBusError) -> BusValue? {
    switch type {
    case "b": return .boolean(try number(message, type) != 0)
    case "y": return .byte(UInt8(truncatingIfNeeded: try number(message, type)))
    case "n", "i": return .int32(Int32(truncatingIfNeeded: try number(message, type)))
    case "q", "u": return .uint32(UInt32(truncatingIfNeeded: try number(message, type)))
    case "x": return .int64(Int64(bitPattern: try number(message, type)))
    case "t": return .uint64(try number(message, type))
    case "d": return .double(Double(bitPattern: try number(message, type)))
    case "s", "g": return .string(try text(message, type))
    case "o": return .objectPath(try text(message, type))
    case "a": return .array(of: contents, try within(message, type, contents, depth))
    case "r": return .structure(try within(message, type, contents, depth))
    case "v": return try within(message, type, contents, depth).first.map { .variant($0) }
    case "e":
      let parts = try within(message, type, contents, depth)
      return parts.count == 2 ? .entry(parts[0], parts[1]) : nil
    default:
      let result = unsafe csystemd_skip(message.pointer, String(type))
      guard result >= 0 else { throw .failed(operation: "read a message", errno: -result) }
      return nil
    }
  }

  private func number(_ message: borrowing OwnedMessage, _ type: Character) throws(SystemBusError) -> UInt64 {
    var number: UInt64 = 0
    let result = unsafe csystemd_read_number(message.pointer, Self.code(type), &number)
    guard result > 0 else { throw .failed(operation: "read a message", errno: -result) }
    return number
  }

  private mutating func text(_ message: borrowing OwnedMessage, _ type: Character) throws(SystemBusError) -> String {
    guard let start = unsafe csystemd_read_text(message.pointer, Self.code(type)) else {
      throw .failed(operation: "read a message", errno: 0)
    }
    let text = unsafe String(cString: start)
    bytes += text.utf8.count
    guard bytes <= Self.mostBytes else { throw .tooLarge }
    return text
  }

  private mutating func within(
    _ message: borrowing OwnedMessage, _ type: Character, _ contents: String, _ depth: Int
  ) throws(SystemBusError) -> [BusValue] {
    var result = unsafe csystemd_enter(message.pointer, Self.code(type), contents)
    guard result > 0 else { throw .failed(operation: "read a message", errno: -result) }
    let values = try read(message, depth: depth + 1)
    result = unsafe csystemd_exit(message.pointer)
    guard result >= 0 else { throw .failed(operation: "read a message", errno: -result) }
    return values
  }

  private static func code(_ type: Character) -> CChar { CChar(bitPattern: type.asciiValue ?? 0) }
}
