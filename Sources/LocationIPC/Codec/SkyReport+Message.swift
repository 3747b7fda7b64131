import Geodesy

extension SkyReport: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, signed: time?.nanosecondsSince1970)
    message.put(2, timeValidity)
    message.put(3, device)
    message.put(4, receiver)
    message.put(5, fix)
    message.put(6, hdop)
    message.put(7, vdop)
    message.put(8, pdop)
    message.put(9, satellitesUsed.map { UInt64(clamping: $0) })
    message.put(10, satellites, limit: Self.maximumSatellites)
    message.put(11, listAge)
    message.put(12, isSimulated)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(device: try fields.text(3).required(3))
    time = try fields.signed(1).map { GNSSTime(nanosecondsSince1970: $0) }
    timeValidity = try fields.code(2)
    receiver = try fields.text(4)
    fix = try fields.code(5)
    hdop = try fields.double(6)
    vdop = try fields.double(7)
    pdop = try fields.double(8)
    satellitesUsed = try fields.integer(9)
    satellites = try fields.list(10, limit: Self.maximumSatellites)
    listAge = try fields.duration(11) ?? .zero
    isSimulated = try fields.flag(12) ?? false
  }
}

extension SatelliteReport: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, constellation)
    message.put(2, UInt64(clamping: number))
    message.put(3, signed: elevationDegrees)
    message.put(4, signed: azimuthDegrees)
    message.put(5, signed: signalDecibelHertz)
    message.put(6, isUsed)
    message.put(7, isHealthy)
    message.put(8, signals, limit: MessageLimits.signals)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(try fields.code(1).required(1), try fields.integer(2).required(2))
    elevationDegrees = try fields.signedInteger(3)
    azimuthDegrees = try fields.signedInteger(4)
    signalDecibelHertz = try fields.signedInteger(5)
    isUsed = try fields.flag(6)
    isHealthy = try fields.flag(7)
    signals = try fields.list(8, limit: MessageLimits.signals) ?? []
  }
}

extension SatelliteSignal: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, name)
    message.put(2, signed: decibelHertz)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(name: try fields.text(1).required(1), decibelHertz: try fields.signedInteger(2))
  }
}
