import FleetDestinations

/// What the service sends. Field 1 of an event is the number of its request.
package enum ServerMessage: Hashable, Sendable {
  case hello(ServerHello)
  /// The last message before the service closes the connection.
  case refused(DisconnectReason)
  case event(ServiceEvent)

  /// The message as it goes over the socket.
  package var frame: [UInt8] {
    var message: MessageWriter
    switch self {
    case .hello(let hello):
      message = MessageWriter(type: 1)
      hello.write(to: &message)
    case .refused(let refusal):
      message = MessageWriter(type: 2)
      refusal.write(to: &message)
    case .event(let event):
      message = MessageWriter(type: Self.type(of: event))
      message.put(1, UInt64(event.request.rawValue))
      switch event {
      case .located(_, let fix, let age, let isCached):
        message.put(2, fix)
        message.put(3, age)
        message.put(4, isCached)
      case .failed(_, let failure): message.put(2, failure)
      case .update(_, let fix, let age):
        message.put(2, fix)
        message.put(3, age)
      case .streamChanged(_, let change): message.put(2, change)
      case .sky(_, let report): message.put(2, report)
      case .progress(_, let progress): message.put(2, progress)
      case .devices(_, let devices): message.put(2, devices, limit: MessageLimits.devices)
      case .status(_, let status): message.put(2, status)
      case .log(_, let answer): message.put(2, answer)
      case .received(_, let bytes): message.put(2, bytes)
      case .authorization(_, let answer): message.put(2, answer)
      case .wifi(_, let answer): message.put(2, answer)
      case .monitoring(_, let answer): message.put(2, answer)
      case .fleet(_, let answer): message.put(2, answer)
      case .places(_, let places): message.put(2, PlacesAnswer(places))
      case .batch(_, let batch, let age):
        message.put(2, batch.bytes)
        message.put(3, age)
      case .done: break
      }
    }
    return message.frame()
  }

  private static func type(of event: ServiceEvent) -> UInt64 {
    switch event {
    case .located: 3
    case .failed: 4
    case .update: 5
    case .streamChanged: 6
    case .sky: 7
    case .progress: 8
    case .devices: 9
    case .done: 10
    case .status: 11
    case .log: 12
    case .received: 13
    case .authorization: 14
    case .wifi: 15
    case .monitoring: 16
    case .fleet: 18
    case .places: 19
    case .batch: 20
    }
  }

  /// Reads one message: a frame without its length.
  package init(_ payload: Span<UInt8>) throws(MessageError) {
    var cursor = MessageCursor(payload)
    let type = try cursor.number()
    let fields = try MessageFields(payload.extracting(cursor.offset..<payload.count))
    switch type {
    case 1:
      self = .hello(try ServerHello(fields))
      return
    case 2:
      self = .refused(try DisconnectReason(fields))
      return
    case 3...20: break
    default: throw .unknownMessage(type)
    }
    let id = RequestID(try fields.integer(1).required(1))
    switch type {
    case 3:
      self = .event(
        .located(
          id, try fields.content(2).required(2), age: try fields.duration(3).required(3),
          isCached: try fields.flag(4) ?? false))
    case 4: self = .event(.failed(id, try fields.content(2).required(2)))
    case 5: self = .event(.update(id, try fields.content(2).required(2), age: try fields.duration(3).required(3)))
    case 6: self = .event(.streamChanged(id, try fields.code(2).required(2)))
    case 7: self = .event(.sky(id, try fields.content(2).required(2)))
    case 8: self = .event(.progress(id, try fields.content(2).required(2)))
    case 9: self = .event(.devices(id, try fields.list(2, limit: MessageLimits.devices).required(2)))
    case 10: self = .event(.done(id))
    case 11: self = .event(.status(id, try fields.content(2).required(2)))
    case 12: self = .event(.log(id, try fields.content(2).required(2)))
    case 13: self = .event(.received(id, try fields.bytes(2).required(2)))
    case 14: self = .event(.authorization(id, try fields.content(2).required(2)))
    case 15: self = .event(.wifi(id, try fields.content(2).required(2)))
    case 16: self = .event(.monitoring(id, try fields.content(2).required(2)))
    case 18: self = .event(.fleet(id, try fields.content(2).required(2)))
    case 19: self = .event(.places(id, try fields.content(2, PlacesAnswer.self).required(2).places))
    case 20:
      self = .event(
        .batch(id, try FixBatch(reading: try fields.bytes(2).required(2)), age: try fields.duration(3).required(3)))
    default: throw .unknownMessage(type)
    }
  }
}
