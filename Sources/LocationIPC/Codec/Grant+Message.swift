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

/// Field 3 is the kind; 4 and 5 belong to the first prompt.
extension AuthorizationPrompt: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, UInt64(clamping: number.value))
    message.put(2, identity)
    switch kind {
    case .first(let requestsAlways, let offersAlways):
      message.put(3, 0 as UInt64)
      message.put(4, requestsAlways)
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
      kind = .first(requestsAlways: try fields.flag(4).required(4), offersAlways: try fields.flag(5).required(5))
    case 1: kind = .upgradeToAlways
    case 2: kind = .keepAlways
    case 3: kind = .fullAccuracy
    case let code: throw .unknownCode(field: 3, found: code)
    }
    self.init(
      number: PromptNumber(try fields.integer(1).required(1)), identity: try fields.content(2).required(2),
      kind: kind, purpose: try fields.text(6), name: try fields.text(7), presence: try fields.code(8).required(8),
      isReduced: try fields.flag(9) ?? false, since: Instant(nanoseconds: try fields.signed(10).required(10)))
  }
}

/// Field 1 is the user, 2 the kind of realm, 3 the realm's name.
extension ClientIdentity: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, UInt64(userID))
    switch realm {
    case .own: message.put(2, 0 as UInt64)
    case .flatpak(let name): put(1, name, to: &message)
    case .snap(let name): put(2, name, to: &message)
    case .service(let name): put(3, name, to: &message)
    case .container(let name): put(4, name, to: &message)
    case .network(let address): put(5, address, to: &message)
    }
  }

  private func put(_ code: UInt64, _ name: String, to message: inout MessageWriter) {
    message.put(2, code)
    message.put(3, name)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let name = try fields.text(3) ?? ""
    let realm: Realm
    switch try fields.number(2).required(2) {
    case 0: realm = .own
    case 1: realm = .flatpak(name)
    case 2: realm = .snap(name)
    case 3: realm = .service(name)
    case 4: realm = .container(name)
    case 5: realm = .network(name)
    case let code: throw .unknownCode(field: 2, found: code)
    }
    // Reject a realm that no command could name.
    guard Realm(parsing: realm.text) == realm else { throw .outOfRange(field: 3, found: UInt64(name.utf8.count)) }
    self.init(userID: try fields.integer(1).required(1), realm: realm)
  }
}

/// Field 3 is a list of purposes for full accuracy, each of a key and a description.
extension DeclaredUsage: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, whenInUse)
    message.put(2, always)
    let purposes = temporaryFullAccuracy.sorted { $0.key < $1.key }.map { Purpose(key: $0.key, text: $0.value) }
    if !purposes.isEmpty { message.put(3, purposes, limit: MessageLimits.purposes) }
    message.put(4, prefersReduced)
    message.put(5, hasBackgroundMode)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(whenInUse: try fields.text(1), always: try fields.text(2))
    for purpose in try fields.list(3, limit: MessageLimits.purposes, Purpose.self) ?? [] {
      temporaryFullAccuracy[purpose.key] = purpose.text
    }
    prefersReduced = try fields.flag(4) ?? false
    hasBackgroundMode = try fields.flag(5) ?? false
  }

  private struct Purpose: MessageContent {
    let key: String
    let text: String

    init(key: String, text: String) {
      self.key = key
      self.text = text
    }

    func write(to message: inout MessageWriter) {
      message.put(1, key)
      message.put(2, text)
    }

    init(_ fields: borrowing MessageFields) throws(MessageError) {
      self.init(key: try fields.text(1).required(1), text: try fields.text(2).required(2))
    }
  }
}

extension UsageDescription: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, user.identity)
    message.put(2, user.name)
    message.put(3, mark)
    message.put(4, UInt64(uses.rawValue))
    message.put(5, usedFor)
    message.put(6, usedAgo)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(
      LocationUser(try fields.content(1).required(1), name: try fields.text(2)), mark: try fields.code(3).required(3),
      uses: LocationUses(rawValue: try fields.integer(4).required(4)))
    usedFor = try fields.duration(5)
    usedAgo = try fields.duration(6)
  }
}
