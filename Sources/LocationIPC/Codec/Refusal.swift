/// Why the service lets a client go. The last thing that the client hears.
package enum Refusal: Hashable, Sendable {
  /// No version that both speak; those of the service.
  case unsupportedVersion(oldest: UInt16, newest: UInt16)
  /// It sent what is no message, or not in its place.
  case brokenProtocol
  /// It said nothing, or stopped in the middle of a message.
  case tooQuiet
  case tooManyMessages(perSecond: Int)
  case tooManyClients(limit: Int)
  /// It does not read what it is told.
  case tooSlow
  /// The service ends; it may be back soon.
  case stopping

  /// Whether trying again may help.
  package var isTemporary: Bool {
    switch self {
    case .stopping, .tooSlow, .tooManyClients: true
    case .unsupportedVersion, .brokenProtocol, .tooQuiet, .tooManyMessages: false
    }
  }
}

extension Refusal: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .unsupportedVersion(let oldest, let newest):
      message.put(1, 0 as UInt64)
      message.put(2, UInt64(oldest))
      message.put(3, UInt64(newest))
    case .brokenProtocol: message.put(1, 1 as UInt64)
    case .tooQuiet: message.put(1, 2 as UInt64)
    case .tooManyMessages(let limit):
      message.put(1, 3 as UInt64)
      message.put(2, UInt64(clamping: limit))
    case .tooManyClients(let limit):
      message.put(1, 4 as UInt64)
      message.put(2, UInt64(clamping: limit))
    case .tooSlow: message.put(1, 5 as UInt64)
    case .stopping: message.put(1, 6 as UInt64)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    switch try fields.number(1).required(1) {
    case 0:
      self = .unsupportedVersion(
        oldest: try fields.integer(2).required(2), newest: try fields.integer(3).required(3))
    case 1: self = .brokenProtocol
    case 2: self = .tooQuiet
    case 3: self = .tooManyMessages(perSecond: try fields.integer(2).required(2))
    case 4: self = .tooManyClients(limit: try fields.integer(2).required(2))
    case 5: self = .tooSlow
    case 6: self = .stopping
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}
