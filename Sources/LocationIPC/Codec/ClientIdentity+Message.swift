import LocationPolicy

/// Field 1 is the user, 2 says which realm, 3 is the realm's name.
extension ClientIdentity: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, UInt64(userID))
    switch realm {
    case .own: message.put(2, 0 as UInt64)
    case .flatpak(let name): put(1, name, to: &message)
    case .snap(let name): put(2, name, to: &message)
    case .service(let name): put(3, name, to: &message)
    case .container(let name): put(4, name, to: &message)
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
    case let code: throw .unknownCode(field: 2, found: code)
    }
    // One that no command could name is none.
    guard Realm(parsing: realm.text) == realm else { throw .outOfRange(field: 3, found: UInt64(name.utf8.count)) }
    self.init(userID: try fields.integer(1).required(1), realm: realm)
  }
}
