package import LocationPolicy

/// Type 1. Field 1 is the run, 2 a command, 3 a notification.
extension LaunchRequest {
  private static let type: UInt64 = 1
  /// The largest payload, bytes: all variables and the input at their longest.
  package static let limit = 65_536

  /// The frame as sent over the socket.
  package var frame: [UInt8] {
    var message = MessageWriter(type: Self.type)
    message.put(1, run)
    switch content {
    case .command(let command): message.put(2, command)
    case .notification(let notification): message.put(3, notification)
    }
    return message.frame()
  }

  /// Decodes a frame from `FrameReader`.
  package init(_ payload: Span<UInt8>) throws(MessageError) {
    var cursor = MessageCursor(payload)
    let type = try cursor.number()
    guard type == Self.type else { throw .unknownMessage(type) }
    let fields = try MessageFields(payload.extracting(cursor.offset..<payload.count))
    let run: UInt64 = try fields.number(1).required(1)
    if let command = try fields.content(2, LaunchCommand.self) {
      self.init(run: run, .command(command))
    } else {
      self.init(run: run, .notification(try fields.content(3, DesktopNotification.self).required(3)))
    }
  }
}

/// Field 1 is the token, 16 bytes, 2 the variables, 3 the input.
extension LaunchCommand: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, token.bytes)
    message.put(2, variables, limit: Self.mostVariables)
    message.put(3, input)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let bytes = try fields.bytes(1).required(1)
    guard let token = CommandToken(bytes: bytes) else { throw .outOfRange(field: 1, found: UInt64(bytes.count)) }
    let variables = try fields.list(2, limit: Self.mostVariables, LaunchVariable.self).required(2)
    let input = try fields.bytes(3).required(3)
    guard input.count <= Self.longestInput else {
      throw .tooLong(field: 3, limit: Self.longestInput, found: input.count)
    }
    guard let command = LaunchCommand(token, variables, input: input) else { throw .repeatedField(2) }
    self = command
  }
}

/// Field 1 is the name, 2 the value.
extension LaunchVariable: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, Array(name.utf8))
    message.put(2, Array(value.utf8))
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let (name, value) = (try fields.longText(1), try fields.longText(2))
    guard let variable = LaunchVariable(name, value) else {
      throw .outOfRange(field: 1, found: UInt64(name.utf8.count))
    }
    self = variable
  }
}

/// Field 1 is the title, 2 the body.
extension DesktopNotification: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, Array(title.utf8))
    message.put(2, Array(body.utf8))
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let (title, body) = (try fields.longText(1), try fields.longText(2))
    guard let notification = DesktopNotification(title: title, body: body) else {
      throw .outOfRange(field: 1, found: UInt64(title.utf8.count))
    }
    self = notification
  }
}

extension MessageFields {
  /// A text that may exceed the usual limit; the caller applies its own limit.
  fileprivate func longText(_ field: Int) throws(MessageError) -> String {
    guard let text = String(validating: try bytes(field).required(field), as: UTF8.self) else {
      throw .notUTF8(field: field)
    }
    return text
  }
}

extension CommandToken {
  /// 16 bytes, the most significant first.
  fileprivate var bytes: [UInt8] {
    [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) } }
  }

  fileprivate init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: half(bytes[..<8]), low: half(bytes[8...]))
  }
}

/// Type 2. Field 1 is the run, 2 the case, 3 its number.
extension LaunchResponse {
  private static let type: UInt64 = 2
  /// The largest payload, bytes.
  package static let limit = 64

  /// The frame as sent over the socket.
  package var frame: [UInt8] {
    var message = MessageWriter(type: Self.type)
    message.put(1, run)
    let (code, number): (UInt64, UInt64?) =
      switch content {
      case .started: (0, nil)
      case .ended(.exited(let status)): (1, UInt64(UInt32(bitPattern: status)))
      case .ended(.killed(let signal)): (2, UInt64(UInt32(bitPattern: signal)))
      case .ended(.outOfTime): (3, nil)
      case .unknownCommand: (4, nil)
      case .cannotStart(let errno): (5, UInt64(UInt32(bitPattern: errno)))
      case .shown: (6, nil)
      case .cannotShow(let problem): (7, UInt64(problem.rawValue))
      }
    message.put(2, code)
    message.put(3, number)
    return message.frame()
  }

  /// Decodes a frame from `FrameReader`.
  package init(_ payload: Span<UInt8>) throws(MessageError) {
    var cursor = MessageCursor(payload)
    let type = try cursor.number()
    guard type == Self.type else { throw .unknownMessage(type) }
    let fields = try MessageFields(payload.extracting(cursor.offset..<payload.count))
    let content: Content
    let code = try fields.number(2).required(2)
    switch code {
    case 0: content = .started
    case 1: content = .ended(.exited(try Self.number(fields, upTo: 255)))
    case 2: content = .ended(.killed(signal: try Self.number(fields, upTo: 127)))
    case 3: content = .ended(.outOfTime)
    case 4: content = .unknownCommand
    case 5: content = .cannotStart(errno: try Self.number(fields, upTo: 4095))
    case 6: content = .shown
    case 7: content = .cannotShow(try fields.code(3).required(3))
    default: throw .unknownCode(field: 2, found: code)
    }
    self.init(run: try fields.number(1).required(1), content)
  }

  /// Reads field 3. `most` is the greatest possible value: of exit statuses and signals (wait(2)), or of the kernel's error numbers
  /// (errno(3)), which end at 4095.
  private static func number(_ fields: borrowing MessageFields, upTo most: Int32) throws(MessageError) -> Int32 {
    let number: Int32 = try fields.integer(3).required(3)
    guard number <= most else { throw .outOfRange(field: 3, found: UInt64(number)) }
    return number
  }
}
