import Geodesy
import LocationPolicy

/// Field 1 is the case.
extension AuthorizationRequest: MessageContent {
  func write(to message: inout MessageWriter) {
    func put(_ code: UInt64) { message.put(1, code) }
    switch self {
    case .watch: put(0)
    case .ask(let always, let purpose):
      put(1)
      message.put(2, always)
      message.put(9, purpose)
    case .askFullAccuracy(let purposeKey):
      put(2)
      message.put(3, purposeKey)
    case .serveQuestions: put(3)
    case .answer(let number, let answer):
      put(4)
      message.put(4, UInt64(clamping: number.value))
      message.put(5, answer.choice)
      message.put(6, answer.isReduced)
    case .list: put(5)
    case .decide(let identity, let decision):
      put(6)
      message.put(7, identity)
      message.put(8, decision)
    case .setServices(let isOn):
      put(7)
      message.put(2, isOn)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    switch try fields.number(1).required(1) {
    case 0: self = .watch
    case 1: self = .ask(always: try fields.flag(2).required(2), purpose: try fields.text(9))
    case 2: self = .askFullAccuracy(purposeKey: try fields.text(3).required(3))
    case 3: self = .serveQuestions
    case 4:
      self = .answer(
        PromptNumber(try fields.integer(4).required(4)),
        PromptAnswer(try fields.code(5).required(5), isReduced: try fields.flag(6)))
    case 5: self = .list
    case 6: self = .decide(try fields.content(7).required(7), try fields.content(8).required(8))
    case 7: self = .setServices(isOn: try fields.flag(2).required(2))
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}

/// Field 1 is the case, 2 whether the accuracy is reduced.
extension Decision: MessageContent {
  func write(to message: inout MessageWriter) {
    let (code, isReduced): (UInt64, Bool?) =
      switch self {
      case .whenInUse(let isReduced): (0, isReduced)
      case .always(let isReduced): (1, isReduced)
      case .denied: (2, nil)
      case .restricted: (3, nil)
      case .forget: (4, nil)
      }
    message.put(1, code)
    message.put(2, isReduced)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    switch try fields.number(1).required(1) {
    case 0: self = .whenInUse(isReduced: try fields.flag(2) ?? false)
    case 1: self = .always(isReduced: try fields.flag(2) ?? false)
    case 2: self = .denied
    case 3: self = .restricted
    case 4: self = .forget
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}

/// Field 1 is the case, 2 its content, 3 the number of a withdrawn prompt.
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
    case 2: self = .withdrawn(PromptNumber(try fields.integer(3).required(3)))
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

/// Field 1 is the case, 2 the reason why the prompt was declined.
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

/// Field 1 is the case, 2 its reason, 3 its flag.
extension AuthorizationDenial: MessageContent {
  func write(to message: inout MessageWriter) {
    func put(_ code: UInt64) { message.put(1, code) }
    switch self {
    case .servicesOff: put(0)
    case .denied(let inBackground):
      put(1)
      message.put(3, inBackground ? true : nil)
    case .restricted(let inBackground):
      put(2)
      message.put(3, inBackground ? true : nil)
    case .undecided(let isAsked):
      put(3)
      message.put(3, isAsked)
    case .notAsked(let reason):
      put(4)
      message.put(2, reason)
    case .inBackground: put(5)
    case .needsAlways: put(6)
    case .needsFullAccuracy(let always):
      put(7)
      message.put(3, always ? true : nil)
    case .notAdministrator: put(8)
    case .notOwner: put(9)
    case .decision(let refusal):
      put(10)
      message.put(2, refusal)
    case .noSuchQuestion: put(11)
    case .unidentified: put(12)
    case .decisionsLost: put(13)
    case .noGrid: put(14)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    switch try fields.number(1).required(1) {
    case 0: self = .servicesOff
    case 1: self = .denied(inBackground: try fields.flag(3) ?? false)
    case 2: self = .restricted(inBackground: try fields.flag(3) ?? false)
    case 3: self = .undecided(isAsked: try fields.flag(3) ?? false)
    case 4: self = .notAsked(try fields.code(2).required(2))
    case 5: self = .inBackground
    case 6: self = .needsAlways
    case 7: self = .needsFullAccuracy(always: try fields.flag(3) ?? false)
    case 8: self = .notAdministrator
    case 9: self = .notOwner
    case 10: self = .decision(try fields.code(2).required(2))
    case 11: self = .noSuchQuestion
    case 12: self = .unidentified
    case 13: self = .decisionsLost
    case 14: self = .noGrid
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}
