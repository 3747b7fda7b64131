import LocationPolicy

/// Field 1 says which case it is.
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
        QuestionNumber(try fields.integer(4).required(4)),
        Answer(try fields.code(5).required(5), isReduced: try fields.flag(6)))
    case 5: self = .list
    case 6: self = .decide(try fields.content(7).required(7), try fields.content(8).required(8))
    case 7: self = .setServices(isOn: try fields.flag(2).required(2))
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}

/// Field 1 says which case it is, 2 whether the accuracy is reduced.
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
