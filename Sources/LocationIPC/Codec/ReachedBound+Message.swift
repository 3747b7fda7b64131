extension ReachedBound: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, bound.kind)
    message.put(2, UInt64(clamping: bound.limit))
    message.put(3, bound.userID.map(UInt64.init))
    message.put(4, UInt64(clamping: times))
    message.put(5, ago)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let bound = ServiceBound(
      try fields.code(1).required(1), limit: try fields.integer(2).required(2), userID: try fields.integer(3))
    self.init(bound, times: try fields.integer(4).required(4), ago: try fields.duration(5).required(5))
  }
}
