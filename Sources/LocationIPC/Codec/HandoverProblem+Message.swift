/// Field 1 says which case it is, 2 is the socket or address it is about.
extension HandoverProblem: MessageContent {
  func write(to message: inout MessageWriter) {
    let (code, place): (UInt64, String?) =
      switch self {
      case .denied(let socket): (0, socket)
      case .noSocket(let socket): (1, socket)
      case .refused: (2, nil)
      case .noAnswer: (3, nil)
      case .elsewhere(let gpsd): (4, gpsd)
      case .unminded: (5, nil)
      }
    message.put(1, code)
    message.put(2, place)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let place = try fields.text(2) ?? ""
    switch try fields.number(1).required(1) {
    case 0: self = .denied(socket: place)
    case 1: self = .noSocket(place)
    case 2: self = .refused
    case 3: self = .noAnswer
    case 4: self = .elsewhere(gpsd: place)
    case 5: self = .unminded
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}
