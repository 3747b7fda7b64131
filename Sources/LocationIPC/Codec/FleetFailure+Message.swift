import FleetDestinations

extension FleetFailure: MessageContent {
  func write(to message: inout MessageWriter) {
    func put(_ code: UInt64, _ text: String? = nil) {
      message.put(1, code)
      message.put(2, text)
    }
    switch self {
    case .unknown(let name, let known):
      put(0, name)
      message.put(3, known, limit: MessageLimits.destinations)
    case .exists(let name): put(1, name)
    case .tooMany(let limit):
      put(2)
      message.put(4, UInt64(clamping: limit))
    case .invalid(let error):
      put(3)
      message.put(5, error)
    case .needsDaemon: put(4)
    case .notInCharge: put(5)
    case .off: put(6)
    case .notAcknowledged(let problem):
      put(7)
      message.put(6, problem)
    case .cannotKeep(let path, let reason):
      put(8, path)
      message.put(7, reason)
    case .otherServer(let waiting):
      put(9)
      message.put(4, UInt64(clamping: waiting))
    case .notNow(let state):
      put(10)
      message.put(8, state)
    case .noClock: put(11)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    let text = try fields.text(2) ?? ""
    switch code {
    case 0: self = .unknown(name: text, known: try fields.texts(3, limit: MessageLimits.destinations) ?? [])
    case 1: self = .exists(name: text)
    case 2: self = .tooMany(limit: try fields.integer(4).required(4))
    case 3: self = .invalid(try fields.content(5).required(5))
    case 4: self = .needsDaemon
    case 5: self = .notInCharge
    case 6: self = .off
    case 7: self = .notAcknowledged(try fields.code(6))
    case 8: self = .cannotKeep(path: text, reason: try fields.text(7).required(7))
    case 9: self = .otherServer(waiting: try fields.integer(4).required(4))
    case 10: self = .notNow(try fields.code(8))
    case 11: self = .noClock
    default: throw .unknownCode(field: 1, found: code)
    }
  }
}

extension FleetSettingsError: MessageContent {
  func write(to message: inout MessageWriter) {
    func put(_ code: UInt64, _ text: String? = nil) {
      message.put(1, code)
      message.put(2, text)
    }
    switch self {
    case .badName(let name): put(0, name)
    case .badAddress: put(1)
    case .secretInAddress: put(2)
    case .unencrypted: put(3)
    case .badValue(let setting): put(4, setting)
    case .excluded(let one, let other):
      put(5, one)
      message.put(3, other)
    case .notForKind(let setting, let kind):
      put(6, setting)
      message.put(4, kind)
    case .missing(let setting): put(7, setting)
    case .unknownSetting(let setting): put(8, setting)
    case .tooLong(let limit):
      put(9)
      message.put(5, UInt64(clamping: limit))
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    let text = try fields.text(2) ?? ""
    switch code {
    case 0: self = .badName(text)
    case 1: self = .badAddress
    case 2: self = .secretInAddress
    case 3: self = .unencrypted
    case 4: self = .badValue(setting: text)
    case 5: self = .excluded(text, try fields.text(3).required(3))
    case 6: self = .notForKind(setting: text, try fields.code(4).required(4))
    case 7: self = .missing(setting: text)
    case 8: self = .unknownSetting(text)
    case 9: self = .tooLong(limit: try fields.integer(5).required(5))
    default: throw .unknownCode(field: 1, found: code)
    }
  }
}
