import Geodesy

/// `receivedAt` is sent as the reading of the boot clock: one clock for all processes of a machine. If a container has shifted
/// it, `ServerHello.present` shows by how much.
extension PositionFix: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, signed: time.nanosecondsSince1970)
    message.put(2, timeValidity)
    message.put(3, signed: receivedAt.nanoseconds)
    message.put(4, coordinate.latitude.degrees)
    message.put(5, coordinate.longitude.degrees)
    message.put(6, horizontalRadius68.value)
    message.put(7, heightAboveEllipsoid?.value)
    message.put(8, heightAboveMeanSeaLevel?.value)
    message.put(9, verticalRadius68?.value)
    message.put(10, speedMetersPerSecond)
    message.put(11, speedRadius68MetersPerSecond)
    message.put(12, course?.degrees)
    message.put(13, courseRadius68?.degrees)
    message.put(14, kind)
    message.put(15, satellitesUsed.map { UInt64(clamping: $0) })
    message.put(16, UInt64(technologies.rawValue))
    message.put(17, qualityFlag)
    message.put(18, isSimulated)
    message.put(19, device)
    message.put(20, receiver)
    message.put(21, isImported ? true : nil)
    message.put(22, hdop)
    message.put(23, correctionAge)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let latitude = try fields.double(4).required(4)
    let longitude = try fields.double(5).required(5)
    guard let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude) else {
      throw .outOfRange(field: 4, found: latitude.bitPattern)
    }
    let radius = try fields.double(6).required(6)
    guard radius > 0 else { throw .outOfRange(field: 6, found: radius.bitPattern) }
    // A value of its own: `self` would be copied with each property, because any of them may throw.
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: try fields.signed(1).required(1)),
      timeValidity: try fields.code(2).required(2),
      receivedAt: Instant(nanoseconds: try fields.signed(3).required(3)), coordinate: coordinate,
      horizontalRadius68: Meters(radius), kind: try fields.code(14).required(14),
      technologies: Technologies(rawValue: try fields.integer(16).required(16)))
    fix.heightAboveEllipsoid = try fields.double(7).map { Meters($0) }
    fix.heightAboveMeanSeaLevel = try fields.double(8).map { Meters($0) }
    fix.verticalRadius68 = try fields.double(9).map { Meters($0) }
    fix.speedMetersPerSecond = try fields.double(10)
    fix.speedRadius68MetersPerSecond = try fields.double(11)
    fix.course = try fields.double(12).map { Angle(degrees: $0) }
    fix.courseRadius68 = try fields.double(13).map { Angle(degrees: $0) }
    fix.satellitesUsed = try fields.integer(15)
    fix.qualityFlag = try fields.code(17)
    fix.isSimulated = try fields.flag(18) ?? false
    fix.device = try fields.text(19)
    fix.receiver = try fields.text(20)
    fix.isImported = try fields.flag(21) ?? false
    fix.hdop = try fields.double(22)
    fix.correctionAge = try fields.duration(23)
    self = fix
  }
}

/// Field 1 is the case.
extension LocationProgress: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .waitingForSource: message.put(1, 0 as UInt64)
    case .waitingForPort(let path):
      message.put(1, 1 as UInt64)
      message.put(2, path)
    case .listening(let path, let baud):
      message.put(1, 2 as UInt64)
      message.put(2, path)
      message.put(3, signed: baud)
    case .searching(let path, let inView, let used):
      message.put(1, 3 as UInt64)
      message.put(2, path)
      message.put(4, signed: inView)
      message.put(5, signed: used)
    case .converging(let radius):
      message.put(1, 4 as UInt64)
      message.put(6, radius)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    switch try fields.number(1).required(1) {
    case 0: self = .waitingForSource
    case 1: self = .waitingForPort(path: try fields.text(2).required(2))
    case 2: self = .listening(path: try fields.text(2).required(2), baud: try fields.signedInteger(3))
    case 3:
      self = .searching(
        path: try fields.text(2).required(2), satellitesInView: try fields.signedInteger(4),
        satellitesUsed: try fields.signedInteger(5))
    case 4: self = .converging(radius68Meters: try fields.double(6).required(6))
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}

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
