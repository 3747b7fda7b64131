/// Field 1 says which case it is, 2 is the socket or address it is about.
extension HandoverProblem: MessageContent {
  func write(to message: inout MessageWriter) {
    func put(_ code: UInt64, _ place: String? = nil) {
      message.put(1, code)
      message.put(2, place)
    }
    switch self {
    case .denied(let socket): put(0, socket)
    case .noSocket(let socket): put(1, socket)
    case .refused: put(2)
    case .noAnswer: put(3)
    case .elsewhere(let gpsd): put(4, gpsd)
    case .unminded: put(5)
    }
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
