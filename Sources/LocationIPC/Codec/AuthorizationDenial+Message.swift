import LocationPolicy

/// Field 1 says which case it is, 2 why in that case.
extension AuthorizationDenial: MessageContent {
  func write(to message: inout MessageWriter) {
    func put(_ code: UInt64) { message.put(1, code) }
    switch self {
    case .servicesOff: put(0)
    case .denied: put(1)
    case .restricted: put(2)
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
    case .notInCharge: put(8)
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
    case 1: self = .denied
    case 2: self = .restricted
    case 3: self = .undecided(isAsked: try fields.flag(3) ?? false)
    case 4: self = .notAsked(try fields.code(2).required(2))
    case 5: self = .inBackground
    case 6: self = .needsAlways
    case 7: self = .needsFullAccuracy(always: try fields.flag(3) ?? false)
    case 8: self = .notInCharge
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
