import Geodesy

extension CorrectionStatus: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, name)
    message.put(2, state)
    message.put(3, problem)
    message.put(4, sentence)
    message.put(5, age)
    message.put(6, bytes)
    message.put(7, frames)
    message.put(8, station.map { UInt64(clamping: $0) })
    message.put(9, UInt64(clamping: receivers))
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(name: try fields.text(1).required(1), state: try fields.code(2).required(2))
    problem = try fields.code(3)
    sentence = try fields.text(4)
    age = try fields.duration(5)
    bytes = try fields.number(6) ?? 0
    frames = try fields.number(7) ?? 0
    station = try fields.integer(8)
    receivers = try fields.integer(9) ?? 0
  }
}
