import Geodesy

/// Messages with a position or a motion.
extension FrameScrubber {
  /// An accuracy beyond which a receiver has no position, whatever it reports: 100 km.
  private static let worstAccuracyMillimeters: UInt32 = 100_000_000

  /// Whether a fix type and flags, as in NAV-PVT and NAV-SOL, mean that there is a position.
  private func isFix(type: Int, flags: Int) -> Bool {
    (1...4).contains(payload.u1(type)) && payload.u1(flags) & 1 != 0
  }

  mutating func pvt() {
    let isFix = isFix(type: 20, flags: 21)
    move(longitude: 24, latitude: 28, isFix: isFix)
    shiftHeights(32, aboveSeaLevel: 36, isFix: isFix)
    turn(north: 48, east: 52)
    // Half a meter per second, in millimeters.
    let isMoving = payload.i4(60) >= 500
    turnCourse(64, isMoving: isMoving)
    if payload.bytes.count == 92 {
      turnCourse(84, isMoving: isMoving)
      // Magnetic declination reveals a position.
      payload.clear(88..<90)
    }
  }

  mutating func posLLH() {
    let isFix = payload.u4(20) < Self.worstAccuracyMillimeters
    move(longitude: 4, latitude: 8, isFix: isFix)
    shiftHeights(12, aboveSeaLevel: 16, isFix: isFix)
  }

  mutating func velNED() {
    turn(north: 4, east: 8)
    // In centimeters.
    turnCourse(24, isMoving: payload.u4(20) >= 50)
  }

  /// NAV-COV: position from 16, velocity from 40, each NN, NE, ND, EE, ED, DD.
  mutating func covariance() {
    for start in [16, 40] {
      let (nn, ne, ee) = (payload.r4(start), payload.r4(start + 4), payload.r4(start + 12))
      let radians = Angle(degrees: anonymization.track.localTurn).radians
      let (sine, cosine) = (Math.sin(radians), Math.cos(radians))
      payload.putR4(cosine * cosine * nn - 2 * sine * cosine * ne + sine * sine * ee, start)
      payload.putR4(sine * cosine * (nn - ee) + (cosine * cosine - sine * sine) * ne, start + 4)
      payload.putR4(sine * sine * nn + 2 * sine * cosine * ne + cosine * cosine * ee, start + 12)
      let down = anonymization.track.rotated(north: payload.r4(start + 8), east: payload.r4(start + 16))
      payload.putR4(down.north, start + 8)
      payload.putR4(down.east, start + 16)
    }
  }

  /// NAV-HPPOSLLH: as NAV-POSLLH, followed by a byte of 1e-9 degrees or tenths of a millimeter for each.
  mutating func highPrecisionLLH() {
    let isFix = payload.u1(3) & 1 == 0 && payload.u4(28) < Self.worstAccuracyMillimeters * 10
    let longitude = Double(payload.i4(8)) * 1e-7 + Double(payload.i1(24)) * 1e-9
    let latitude = Double(payload.i4(12)) * 1e-7 + Double(payload.i1(25)) * 1e-9
    let place = Coordinate(checkingLatitude: latitude, longitude: longitude)
    let moved = place.flatMap { anonymization.track.move($0, step: 1e-9, isFix: isFix) }
    if moved != nil { anonymization.tally.positionsMoved += 1 }
    putSplit((moved?.longitude.degrees ?? 0) * 1e7, 8, 24, parts: 100)
    putSplit((moved?.latitude.degrees ?? 0) * 1e7, 12, 25, parts: 100)
    let sea = Double(payload.i4(20)) / 1000 + Double(payload.i1(27)) / 10_000
    let ellipsoid = Double(payload.i4(16)) / 1000 + Double(payload.i1(26)) / 10_000
    let height = anonymization.heights.aboveSeaLevel(sea, separation: ellipsoid - sea, isFix: isFix)
    putSplit((height.map { $0 + anonymization.heights.separation } ?? 0) * 1000, 16, 26, parts: 10)
    putSplit((height ?? 0) * 1000, 20, 27, parts: 10)
  }

  mutating func posECEF() {
    moveECEF(4, scale: 0.01, isFix: payload.u4(16) < Self.worstAccuracyMillimeters / 10)
  }

  mutating func sol() {
    moveECEF(12, scale: 0.01, isFix: isFix(type: 10, flags: 11))
    velocityECEF(28)
  }

  mutating func highPrecisionECEF() {
    // The bytes of tenths of a millimeter are zeroed: they are finer than the resolution of the moved position.
    moveECEF(8, scale: 0.01, isFix: payload.u1(23) & 1 == 0 && payload.u4(24) < Self.worstAccuracyMillimeters * 10)
    payload.clear(20..<23)
  }

  /// Rotates a velocity in the earth's axes, which is taken to be at the position that was moved last.
  mutating func velocityECEF(_ offset: Int) {
    guard let latest = anonymization.track.latestMove else { return payload.clear(offset..<(offset + 12)) }
    let reported = (Double(payload.i4(offset)), Double(payload.i4(offset + 4)), Double(payload.i4(offset + 8)))
    guard reported != (0, 0, 0) else { return }
    let vector = anonymization.track.spread(reported.0, reported.1, reported.2)
    let local = EarthCentered.local(vector, at: latest.original)
    let turned = anonymization.track.rotated(north: local.north, east: local.east)
    put(EarthCentered.vector(north: turned.north, east: turned.east, up: local.up, at: latest.moved), offset)
  }

  // MARK: -

  private mutating func move(longitude: Int, latitude: Int, isFix: Bool) {
    let place = Coordinate(
      checkingLatitude: Double(payload.i4(latitude)) * 1e-7, longitude: Double(payload.i4(longitude)) * 1e-7)
    let moved = place.flatMap { anonymization.track.move($0, step: 1e-7, isFix: isFix) }
    if moved != nil { anonymization.tally.positionsMoved += 1 }
    payload.putI4((moved?.longitude.degrees ?? 0) * 1e7, longitude)
    payload.putI4((moved?.latitude.degrees ?? 0) * 1e7, latitude)
  }

  private mutating func shiftHeights(_ ellipsoid: Int, aboveSeaLevel: Int, isFix: Bool) {
    let sea = Double(payload.i4(aboveSeaLevel)) / 1000
    let height = anonymization.heights.aboveSeaLevel(
      sea, separation: Double(payload.i4(ellipsoid)) / 1000 - sea, isFix: isFix)
    payload.putI4((height.map { $0 + anonymization.heights.separation } ?? 0) * 1000, ellipsoid)
    payload.putI4((height ?? 0) * 1000, aboveSeaLevel)
  }

  private mutating func turn(north: Int, east: Int) {
    let turned = anonymization.track.turned(north: Double(payload.i4(north)), east: Double(payload.i4(east)))
    payload.putI4(turned.north, north)
    payload.putI4(turned.east, east)
  }

  private mutating func turnCourse(_ offset: Int, isMoving: Bool) {
    let course = anonymization.track.turned(Double(payload.i4(offset)) * 1e-5, isMoving: isMoving) * 1e5
    payload.putI4(course.rounded() >= 36_000_000 ? 0 : course, offset)
  }

  private mutating func moveECEF(_ offset: Int, scale: Double, isFix: Bool) {
    let spread = anonymization.track.spread(
      Double(payload.i4(offset)), Double(payload.i4(offset + 4)), Double(payload.i4(offset + 8)))
    guard let place = EarthCentered.place((spread.0 * scale, spread.1 * scale, spread.2 * scale)),
      let moved = anonymization.track.move(place.coordinate, step: 0, isFix: isFix),
      let height = anonymization.heights.aboveEllipsoid(place.height, isFix: isFix)
    else { return payload.clear(offset..<(offset + 12)) }
    anonymization.tally.positionsMoved += 1
    let there = EarthCentered.point(moved, height: height)
    put((there.x / scale, there.y / scale, there.z / scale), offset)
  }

  private mutating func put(_ vector: EarthCentered.Vector, _ offset: Int) {
    payload.putI4(vector.x, offset)
    payload.putI4(vector.y, offset + 4)
    payload.putI4(vector.z, offset + 8)
  }

  /// A number as its whole part and a byte of its fraction.
  private mutating func putSplit(_ value: Double, _ offset: Int, _ fine: Int, parts: Double) {
    let whole = value.rounded()
    payload.putI4(whole, offset)
    payload.bytes[fine] = UInt8(bitPattern: Int8(clamping: Int(((value - whole) * parts).rounded())))
  }
}
