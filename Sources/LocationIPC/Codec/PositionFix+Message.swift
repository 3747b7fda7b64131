import Geodesy

/// `receivedAt` crosses as the reading of the boot clock that it is: one clock for all processes of a machine. Where a
/// container has moved it, `ServerHello.present` tells by how much.
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
    message.put(17, suspicion)
    message.put(18, isSimulated)
    message.put(19, device)
    message.put(20, receiver)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let latitude = try fields.double(4).required(4)
    let longitude = try fields.double(5).required(5)
    guard let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude) else {
      throw .outOfRange(field: 4, found: latitude.bitPattern)
    }
    let radius = try fields.double(6).required(6)
    guard radius > 0 else { throw .outOfRange(field: 6, found: radius.bitPattern) }
    self.init(
      time: GNSSTime(nanosecondsSince1970: try fields.signed(1).required(1)),
      timeValidity: try fields.code(2).required(2),
      receivedAt: Instant(nanoseconds: try fields.signed(3).required(3)), coordinate: coordinate,
      horizontalRadius68: Meters(radius), kind: try fields.code(14).required(14),
      technologies: Technologies(rawValue: try fields.integer(16).required(16)))
    heightAboveEllipsoid = try fields.double(7).map { Meters($0) }
    heightAboveMeanSeaLevel = try fields.double(8).map { Meters($0) }
    verticalRadius68 = try fields.double(9).map { Meters($0) }
    speedMetersPerSecond = try fields.double(10)
    speedRadius68MetersPerSecond = try fields.double(11)
    course = try fields.double(12).map { Angle(degrees: $0) }
    courseRadius68 = try fields.double(13).map { Angle(degrees: $0) }
    satellitesUsed = try fields.integer(15)
    suspicion = try fields.code(17)
    isSimulated = try fields.flag(18) ?? false
    device = try fields.text(19)
    receiver = try fields.text(20)
  }
}
