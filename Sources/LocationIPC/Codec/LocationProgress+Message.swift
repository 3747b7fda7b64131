/// Field 1 says which case it is.
extension LocationProgress: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .waitingForSource: message.put(1, 0 as UInt64)
    case .waitingForPort(let path):
      message.put(1, 1 as UInt64)
      message.put(2, path)
    case .listening(let path, let baud):
      message.put(1, 2 as UInt64)
      message.put(2, path)
      message.put(3, signed: baud)
    case .searching(let path, let inView, let used):
      message.put(1, 3 as UInt64)
      message.put(2, path)
      message.put(4, signed: inView)
      message.put(5, signed: used)
    case .converging(let radius):
      message.put(1, 4 as UInt64)
      message.put(6, radius)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    switch try fields.number(1).required(1) {
    case 0: self = .waitingForSource
    case 1: self = .waitingForPort(path: try fields.text(2).required(2))
    case 2: self = .listening(path: try fields.text(2).required(2), baud: try fields.signedInteger(3))
    case 3:
      self = .searching(
        path: try fields.text(2).required(2), satellitesInView: try fields.signedInteger(4),
        satellitesUsed: try fields.signedInteger(5))
    case 4: self = .converging(radius68Meters: try fields.double(6).required(6))
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}
