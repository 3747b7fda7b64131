extension TimeReport: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, receivers, limit: MessageLimits.devices)
    message.put(2, sinks, limit: MessageLimits.devices)
    message.put(3, clock)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init()
    receivers = try fields.list(1, limit: MessageLimits.devices) ?? []
    sinks = try fields.list(2, limit: MessageLimits.devices) ?? []
    clock = try fields.code(3)
  }
}

extension ReceiverTimeReport: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, device)
    message.put(2, state)
    message.put(3, offsetSeconds)
    message.put(4, deviationSeconds)
    message.put(5, delaySeconds)
    message.put(6, delayUncertaintySeconds)
    message.put(7, delayBasis)
    message.put(8, calibrationProgress)
    message.put(9, isCalibrating)
    message.put(10, pulse)
    message.put(11, pulseProblems)
    message.put(12, samples)
    message.put(13, UInt64(leap))
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(device: try fields.text(1).required(1), state: try fields.code(2).required(2))
    offsetSeconds = try fields.double(3)
    deviationSeconds = try fields.double(4)
    delaySeconds = try fields.double(5).required(5)
    delayUncertaintySeconds = try fields.double(6).required(6)
    delayBasis = try fields.code(7).required(7)
    calibrationProgress = try fields.double(8) ?? 0
    isCalibrating = try fields.flag(9) ?? false
    pulse = try fields.text(10)
    pulseProblems = try fields.code(11) ?? []
    samples = try fields.number(12) ?? 0
    leap = try fields.integer(13) ?? 0
  }
}

extension TimeSinkReport: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, name)
    message.put(2, state)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(name: try fields.text(1).required(1), state: try fields.code(2).required(2))
  }
}
