import Positioning

/// Field 1 says which case it is, 2 how many are heard, 3 how many of them are known, 4 the problem.
extension WiFiReport: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .off: message.put(1, UInt64(0))
    case .resting: message.put(1, UInt64(1))
    case .listening(let heard, let known, let problem):
      message.put(1, UInt64(2))
      message.put(2, UInt64(clamping: heard))
      message.put(3, UInt64(clamping: known))
      message.put(4, problem)
    case .deaf(let problem):
      message.put(1, UInt64(3))
      message.put(4, problem)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    switch code {
    case 0: self = .off
    case 1: self = .resting
    case 2:
      self = .listening(
        heard: try fields.integer(2).required(2), known: try fields.integer(3).required(3),
        problem: try fields.content(4))
    case 3: self = .deaf(try fields.content(4).required(4))
    default: throw .unknownCode(field: 1, found: code)
    }
  }
}
