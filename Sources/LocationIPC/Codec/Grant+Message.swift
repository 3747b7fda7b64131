import Geodesy
import LocationPolicy

extension Grant: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, identity)
    message.put(2, record.level)
    message.put(3, record.isReduced)
    message.put(4, record.isProvisional)
    message.put(5, record.hasAskedAlways)
    message.put(6, record.declaredAlways)
    message.put(7, record.declaredWhenInUse)
    message.put(8, record.purpose)
    message.put(9, record.name)
    message.put(10, signed: record.decidedAt?.nanosecondsSince1970)
    message.put(11, signed: record.usedAt?.nanosecondsSince1970)
    message.put(12, signed: record.usedInBackgroundAt?.nanosecondsSince1970)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    var record = GrantRecord(try fields.code(2).required(2), isReduced: try fields.flag(3) ?? false)
    record.isProvisional = try fields.flag(4) ?? false
    record.hasAskedAlways = try fields.flag(5) ?? false
    record.declaredAlways = try fields.flag(6) ?? false
    record.declaredWhenInUse = try fields.flag(7) ?? false
    record.purpose = try fields.text(8)
    record.name = try fields.text(9)
    record.decidedAt = try fields.signed(10).map { GNSSTime(nanosecondsSince1970: $0) }
    record.usedAt = try fields.signed(11).map { GNSSTime(nanosecondsSince1970: $0) }
    record.usedInBackgroundAt = try fields.signed(12).map { GNSSTime(nanosecondsSince1970: $0) }
    self.init(try fields.content(1).required(1), record)
  }
}

/// Field 3 says which kind it is; 4 and 5 belong to the first question.
extension Question: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, UInt64(clamping: number.value))
    message.put(2, identity)
    switch kind {
    case .first(let wishesAlways, let offersAlways):
      message.put(3, 0 as UInt64)
      message.put(4, wishesAlways)
      message.put(5, offersAlways)
    case .upgradeToAlways: message.put(3, 1 as UInt64)
    case .keepAlways: message.put(3, 2 as UInt64)
    case .fullAccuracy: message.put(3, 3 as UInt64)
    }
    message.put(6, purpose)
    message.put(7, name)
    message.put(8, presence)
    message.put(9, isReduced)
    message.put(10, signed: since.nanoseconds)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let kind: Kind
    switch try fields.number(3).required(3) {
    case 0:
      kind = .first(wishesAlways: try fields.flag(4).required(4), offersAlways: try fields.flag(5).required(5))
    case 1: kind = .upgradeToAlways
    case 2: kind = .keepAlways
    case 3: kind = .fullAccuracy
    case let code: throw .unknownCode(field: 3, found: code)
    }
    self.init(
      number: QuestionNumber(try fields.integer(1).required(1)), identity: try fields.content(2).required(2),
      kind: kind, purpose: try fields.text(6), name: try fields.text(7), presence: try fields.code(8).required(8),
      isReduced: try fields.flag(9) ?? false, since: Instant(nanoseconds: try fields.signed(10).required(10)))
  }
}
