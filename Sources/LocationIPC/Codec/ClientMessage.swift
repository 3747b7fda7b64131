/// What a client sends. Field 1 of a request is its number.
package enum ClientMessage: Hashable, Sendable {
  case hello(ClientHello)
  case request(ClientRequest)

  /// The message as it goes over the socket.
  package var frame: [UInt8] {
    var message: MessageWriter
    switch self {
    case .hello(let hello):
      message = MessageWriter(type: 1)
      hello.write(to: &message)
    case .request(let request):
      message = MessageWriter(type: Self.type(of: request))
      message.put(1, UInt64(request.id.rawValue))
      switch request {
      case .locate(_, let options): message.put(2, options)
      case .startUpdates(_, let options): message.put(2, options)
      case .watchSky(_, let waits): message.put(2, waits)
      case .trustDevice(_, let selector), .forgetDevice(_, let selector): message.put(2, selector)
      case .log(_, let request): message.put(2, request)
      case .authorization(_, let request): message.put(2, request)
      case .wifi(_, let request): message.put(2, request)
      case .monitoring(_, let request): message.put(2, request)
      case .setOwner(_, let selector, let owner):
        message.put(2, selector)
        message.put(3, owner)
      case .listenIn, .cancel, .listDevices, .status: break
      }
    }
    return message.frame()
  }

  private static func type(of request: ClientRequest) -> UInt64 {
    switch request {
    case .locate: 2
    case .startUpdates: 3
    case .watchSky: 4
    case .cancel: 5
    case .listDevices: 6
    case .trustDevice: 7
    case .forgetDevice: 8
    case .status: 9
    case .log: 10
    case .setOwner: 11
    case .listenIn: 12
    case .authorization: 13
    case .wifi: 14
    case .monitoring: 15
    }
  }

  /// Reads one message: a frame without its length.
  package init(_ payload: Span<UInt8>) throws(MessageError) {
    var cursor = MessageCursor(payload)
    let type = try cursor.number()
    let fields = try MessageFields(payload.extracting(cursor.offset..<payload.count))
    guard type != 1 else {
      self = .hello(try ClientHello(fields))
      return
    }
    guard (2...15).contains(type) else { throw .unknownMessage(type) }
    let id = RequestID(try fields.integer(1).required(1))
    switch type {
    case 2: self = .request(.locate(id, try fields.content(2).required(2)))
    case 3: self = .request(.startUpdates(id, try fields.content(2).required(2)))
    case 4: self = .request(.watchSky(id, waitsForSource: try fields.flag(2) ?? false))
    case 5: self = .request(.cancel(id))
    case 6: self = .request(.listDevices(id))
    case 7: self = .request(.trustDevice(id, selector: try fields.text(2).required(2)))
    case 8: self = .request(.forgetDevice(id, selector: try fields.text(2).required(2)))
    case 9: self = .request(.status(id))
    case 10: self = .request(.log(id, try fields.content(2).required(2)))
    case 11:
      self = .request(
        .setOwner(id, selector: try fields.text(2).required(2), owner: try fields.code(3).required(3)))
    case 12: self = .request(.listenIn(id))
    case 13: self = .request(.authorization(id, try fields.content(2).required(2)))
    case 14: self = .request(.wifi(id, try fields.content(2).required(2)))
    case 15: self = .request(.monitoring(id, try fields.content(2).required(2)))
    default: throw .unknownMessage(type)
    }
  }
}
