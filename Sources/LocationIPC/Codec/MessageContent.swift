/// A value that is written as numbered fields. A newer side may add fields, which an older one skips; what is absent is `nil`.
protocol MessageContent {
  func write(to message: inout MessageWriter)
  init(_ fields: borrowing MessageFields) throws(MessageError)
}
