import Geodesy
import LocationPolicy

/// Field 1 says which case it is, 2 holds its content.
extension AuthorizationAnswer: MessageContent {
  func write(to message: inout MessageWriter) {
    func put(_ code: UInt64) { message.put(1, code) }
    switch self {
    case .state(let state):
      put(0)
      message.put(2, state)
    case .question(let question):
      put(1)
      message.put(2, question)
    case .withdrawn(let number):
      put(2)
      message.put(3, UInt64(clamping: number.value))
    case .fullAccuracy(let answer):
      put(3)
      message.put(2, answer)
    case .grants(let list):
      put(4)
      message.put(2, list)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    switch try fields.number(1).required(1) {
    case 0: self = .state(try fields.content(2).required(2))
    case 1: self = .question(try fields.content(2).required(2))
    case 2: self = .withdrawn(QuestionNumber(try fields.integer(3).required(3)))
    case 3: self = .fullAccuracy(try fields.content(2).required(2))
    case 4: self = .grants(try fields.content(2).required(2))
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}

extension AuthorizationState: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, authorization.level)
    message.put(2, presence)
    message.put(3, authorization.isReduced)
    message.put(4, authorization.isOffForAll)
    message.put(5, authorization.isPending)
    message.put(6, authorization.canBeAnswered)
    message.put(7, authorization.isAlwaysRefused)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    var authorization = Authorization(try fields.code(1).required(1))
    authorization.isReduced = try fields.flag(3) ?? false
    authorization.isOffForAll = try fields.flag(4) ?? false
    authorization.isPending = try fields.flag(5) ?? false
    authorization.canBeAnswered = try fields.flag(6) ?? false
    authorization.isAlwaysRefused = try fields.flag(7) ?? false
    self.init(authorization, presence: try fields.code(2).required(2))
  }
}

/// Field 1 says which case it is, 2 why nobody was asked.
extension FullAccuracyAnswer: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .granted: message.put(1, 0 as UInt64)
    case .refused: message.put(1, 1 as UInt64)
    case .promptDeclined(let reason):
      message.put(1, 2 as UInt64)
      message.put(2, reason)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    switch try fields.number(1).required(1) {
    case 0: self = .granted
    case 1: self = .refused
    case 2: self = .promptDeclined(try fields.code(2).required(2))
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}

extension GrantList: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, isOn)
    message.put(2, grants, limit: MessageLimits.grants)
    message.put(3, pending, limit: MessageLimits.questions)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(isOn: try fields.flag(1).required(1))
    grants = try fields.list(2, limit: MessageLimits.grants) ?? []
    pending = try fields.list(3, limit: MessageLimits.questions) ?? []
  }
}
