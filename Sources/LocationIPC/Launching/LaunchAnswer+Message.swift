package import LocationPolicy

/// Type 2. Field 1 is the run, 2 says what is told, 3 bears its number.
extension LaunchAnswer {
  private static let type: UInt64 = 2
  /// The largest payload, bytes.
  package static let limit = 64

  /// As it goes over the socket.
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
      case .cannotShow(let problem): (7, problem.wireCode)
      }
    message.put(2, code)
    message.put(3, number)
    return message.frame()
  }

  /// Reads what `FrameReader` has cut out.
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

  /// As many as there are (wait(2); errno(3), of which the kernel has at most 4095).
  private static func number(_ fields: borrowing MessageFields, upTo most: Int32) throws(MessageError) -> Int32 {
    let number: Int32 = try fields.integer(3).required(3)
    guard number <= most else { throw .outOfRange(field: 3, found: UInt64(number)) }
    return number
  }
}

extension NoticeProblem: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .noDesktop: 0
    case .noProgram: 1
    case .failed: 2
    }
  }
}
