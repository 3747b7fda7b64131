import LocationPolicy

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

extension LocationUsage.Mark: WireCode {
  static var allCases: [LocationUsage.Mark] { [.current, .recently, .fences] }

  var wireCode: UInt64 {
    switch self {
    case .current: 0
    case .recently: 1
    case .fences: 2
    }
  }
}

extension IndicatorState.Mark: WireCode {
  static var allCases: [IndicatorState.Mark] { [.none, .hollow, .solid] }

  var wireCode: UInt64 {
    switch self {
    case .none: 0
    case .hollow: 1
    case .solid: 2
    }
  }
}
