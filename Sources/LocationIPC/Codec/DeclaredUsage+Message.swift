import LocationPolicy

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
