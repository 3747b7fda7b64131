import FleetDestinations
import Geodesy

/// Field 1 is the case, 2 the name of the destination.
extension FleetRequest: MessageContent {
  func write(to message: inout MessageWriter) {
    func put(_ code: UInt64, _ name: String? = nil) {
      message.put(1, code)
      message.put(2, name)
    }
    switch self {
    case .list: put(0)
    case .add(let destination):
      put(1)
      message.put(3, Array(destination.text.utf8))
    case .change(let name, let text, let backlog):
      put(7, name)
      message.put(3, Array(text.utf8))
      message.put(6, backlog)
    case .remove(let name, let discards):
      put(2, name)
      message.put(4, discards)
    case .pause(let name, let duration):
      put(3, name)
      message.put(5, duration)
    case .resume(let name): put(4, name)
    case .test(let name): put(5, name)
    case .send(let name): put(6, name)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    let name = try fields.text(2) ?? ""
    switch code {
    case 0: self = .list
    case 1:
      guard let text = String(validating: try fields.bytes(3).required(3), as: UTF8.self) else {
        throw .notUTF8(field: 3)
      }
      guard let destination = try? FleetDestination(text: text) else { throw .outOfRange(field: 3, found: 0) }
      self = .add(destination)
    case 2: self = .remove(name: name, discards: try fields.flag(4) ?? false)
    case 3:
      let duration = try fields.duration(5)
      if let duration, duration <= .zero { throw .outOfRange(field: 5, found: 0) }
      self = .pause(name: name, duration)
    case 4: self = .resume(name: name)
    case 5: self = .test(name: name)
    case 6: self = .send(name: name)
    case 7:
      guard let text = String(validating: try fields.bytes(3).required(3), as: UTF8.self) else {
        throw .notUTF8(field: 3)
      }
      guard text.utf8.count <= FleetDestination.longestText else { throw .outOfRange(field: 3, found: 0) }
      self = .change(name: name, text, try fields.code(6))
    default: throw .unknownCode(field: 1, found: code)
    }
  }
}

extension FleetAnswer: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .destinations(let reports):
      message.put(1, 0 as UInt64)
      message.put(2, reports, limit: MessageLimits.destinations)
    case .tested(let result):
      message.put(1, 1 as UInt64)
      message.put(3, result)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    switch try fields.number(1).required(1) {
    case 0: self = .destinations(try fields.list(2, limit: MessageLimits.destinations) ?? [])
    case 1: self = .tested(try fields.content(3).required(3))
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}

extension FleetTestResult: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, session)
    message.put(2, reply)
    message.put(3, problem)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(session: try fields.content(1), reply: try fields.content(2), problem: try fields.code(3))
  }
}

extension FleetSession: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, UInt64(version))
    message.put(2, receiveMaximum.map(UInt64.init))
    message.put(3, maximumPacket.map(UInt64.init))
    message.put(4, maximumQoS)
    message.put(5, canRetain)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(version: try fields.integer(1).required(1))
    receiveMaximum = try fields.integer(2)
    maximumPacket = try fields.integer(3)
    maximumQoS = try fields.code(4) ?? .exactlyOnce
    canRetain = try fields.flag(5) ?? true
  }
}

extension FleetReply: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .mqtt(let code): message.put(1, UInt64(code))
    case .http(let status, let retryAfter):
      message.put(2, UInt64(status))
      message.put(3, retryAfter.map(UInt64.init))
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    if let code: UInt8 = try fields.integer(1) {
      self = .mqtt(code)
    } else {
      self = .http(try fields.integer(2).required(2), retryAfter: try fields.integer(3))
    }
  }
}

extension FleetReport: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, name)
    message.put(2, address)
    message.put(3, kind)
    message.put(4, state)
    message.put(5, problem)
    message.put(6, reply)
    message.put(7, UInt64(clamping: waiting))
    message.put(8, signed: oldest?.nanosecondsSince1970)
    message.put(9, signed: lastAcknowledged?.nanosecondsSince1970)
    message.put(10, (lost?.count).map { UInt64(clamping: $0) })
    message.put(11, signed: lost?.from.nanosecondsSince1970)
    message.put(12, signed: lost?.to.nanosecondsSince1970)
    message.put(13, UInt64(clamping: setAside))
    message.put(14, UInt64(clamping: bytes))
    message.put(15, version.map(UInt64.init))
    message.put(17, isReduced)
    message.put(18, signed: pausedUntil?.nanosecondsSince1970)
    message.put(19, isClockUnsure)
    message.put(20, isUnencrypted)
    message.put(21, unrecorded == 0 ? nil : UInt64(clamping: unrecorded))
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    func time(_ field: Int, _ fields: borrowing MessageFields) throws(MessageError) -> GNSSTime? {
      try fields.signed(field).map { GNSSTime(nanosecondsSince1970: $0) }
    }
    self.init(
      name: try fields.text(1).required(1), address: try fields.text(2).required(2),
      kind: try fields.code(3).required(3),
      state: try fields.code(4).required(4))
    problem = try fields.code(5)
    reply = try fields.content(6)
    waiting = try fields.integer(7) ?? 0
    oldest = try time(8, fields)
    lastAcknowledged = try time(9, fields)
    if let count: Int = try fields.integer(10) {
      lost = FleetLoss(count: count, from: try time(11, fields).required(11), to: try time(12, fields).required(12))
    }
    setAside = try fields.integer(13) ?? 0
    bytes = try fields.integer(14) ?? 0
    version = try fields.integer(15)
    isReduced = try fields.flag(17) ?? false
    pausedUntil = try time(18, fields)
    isClockUnsure = try fields.flag(19) ?? false
    isUnencrypted = try fields.flag(20) ?? false
    unrecorded = try fields.integer(21) ?? 0
  }
}
