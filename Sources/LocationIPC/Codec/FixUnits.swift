import Geodesy

/// A fix in whole units, by the numbers of the fields of `PositionFix` in messages; `nil`: unknown.
struct FixUnits: Hashable, Sendable {
  /// The fields that are numbers, in whole units: nanoseconds, 10⁻⁹ degrees of latitude and longitude, thousandths of meters, of meters
  /// per second, of degrees of course and of the dilution, and codes.
  private static let fields = Array(1...18) + [21, 22, 23]
  /// The texts: the device and the receiver.
  private static let texts = [19, 20]
  /// The list of fields that the fix before has, and this one has not.
  private static let gone = 24
  /// The fields of `time` and `receivedAt`.
  static let (time, arrival) = (1, 3)

  private static let perDegree = 1e9
  private static let perUnit = 1e3
  /// Whole numbers up to this are exact in a `Double`; no physical quantity is greater.
  private static let largest = 9e15

  fileprivate(set) var numbers = [Int64?](repeating: nil, count: 24)
  private var device: String?
  private var receiver: String?

  /// Nothing is known: what the first fix of a batch is compared with.
  init() {}

  init(_ fix: PositionFix) {
    func whole(_ value: Double?) -> Int64? { Self.whole(value, Self.perUnit) }
    numbers[1] = fix.time.nanosecondsSince1970
    numbers[2] = Int64(fix.timeValidity.rawValue)
    numbers[3] = fix.receivedAt.nanoseconds
    numbers[4] = Self.whole(fix.coordinate.latitude.degrees, Self.perDegree)
    numbers[5] = Self.whole(fix.coordinate.longitude.degrees, Self.perDegree)
    // A radius is never zero.
    numbers[6] = whole(fix.horizontalRadius68.value).map { max(1, $0) }
    numbers[7] = whole(fix.heightAboveEllipsoid?.value)
    numbers[8] = whole(fix.heightAboveMeanSeaLevel?.value)
    numbers[9] = whole(fix.verticalRadius68?.value).map { max(1, $0) }
    numbers[10] = whole(fix.speedMetersPerSecond)
    numbers[11] = whole(fix.speedRadius68MetersPerSecond).map { max(1, $0) }
    // 359.9996° is north.
    numbers[12] = whole(fix.course?.degrees).map { $0 == 360_000 ? 0 : $0 }
    numbers[13] = whole(fix.courseRadius68?.degrees)
    numbers[14] = Int64(fix.kind.rawValue)
    numbers[15] = fix.satellitesUsed.map { Int64(clamping: $0) }
    numbers[16] = Int64(fix.technologies.rawValue)
    numbers[17] = fix.qualityFlag.map { Int64($0.rawValue) }
    numbers[18] = fix.isSimulated ? 1 : 0
    numbers[21] = fix.isImported ? 1 : nil
    numbers[22] = whole(fix.hdop)
    numbers[23] = fix.correctionAge?.wholeNanoseconds
    (device, receiver) = (fix.device, fix.receiver)
  }

  private static func whole(_ value: Double?, _ scale: Double) -> Int64? {
    guard let value, !value.isNaN else { return nil }
    return Int64(max(-largest, min((value * scale).rounded(), largest)))
  }

  /// Writes what differs from the fix before.
  func write(after last: FixUnits, to message: inout MessageWriter) {
    var gone: [Int] = []
    for field in Self.fields where numbers[field] != last.numbers[field] {
      if let number = numbers[field] {
        // Modulo 2⁶⁴, so that no pair of times overflows.
        message.put(field, signed: number &- (last.numbers[field] ?? 0))
      } else {
        gone.append(field)
      }
    }
    for (field, new, old) in [(19, device, last.device), (20, receiver, last.receiver)] where new != old {
      if new != nil { message.put(field, new) } else { gone.append(field) }
    }
    if !gone.isEmpty { message.put(Self.gone, gone, limit: Self.fields.count + Self.texts.count) }
  }

  /// Turns the fix before into this one.
  mutating func change(by fields: borrowing MessageFields) throws(MessageError) {
    for field in Self.fields {
      if let difference = try fields.signed(field) { numbers[field] = (numbers[field] ?? 0) &+ difference }
    }
    if let text = try fields.text(19) { device = text }
    if let text = try fields.text(20) { receiver = text }
    for field in try fields.numbers(Self.gone, limit: Self.fields.count + Self.texts.count) ?? [] {
      switch field {
      case 19: device = nil
      case 20: receiver = nil
      case _ where Self.fields.contains(field): numbers[field] = nil
      // A field of a later version.
      default: break
      }
    }
  }

  /// The fix in its usual units.
  func fix() throws(MessageError) -> PositionFix {
    func integer<I: FixedWidthInteger>(_ field: Int, _ type: I.Type = I.self) throws(MessageError) -> I? {
      guard let number = numbers[field] else { return nil }
      guard let value = I(exactly: number) else { throw .outOfRange(field: field, found: UInt64(bitPattern: number)) }
      return value
    }
    func code<C: RawRepresentable<UInt8>>(_ field: Int, _ type: C.Type = C.self) throws(MessageError) -> C? {
      guard let number = try integer(field, UInt8.self) else { return nil }
      guard let code = C(rawValue: number) else { throw .unknownCode(field: field, found: UInt64(number)) }
      return code
    }
    func quantity(_ field: Int) -> Double? { numbers[field].map { Double($0) / Self.perUnit } }
    func degrees(_ field: Int) throws(MessageError) -> Double {
      Double(try numbers[field].required(field)) / Self.perDegree
    }
    guard let coordinate = Coordinate(checkingLatitude: try degrees(4), longitude: try degrees(5)) else {
      throw .outOfRange(field: 4, found: UInt64(bitPattern: numbers[4] ?? 0))
    }
    let radius = try numbers[6].required(6)
    guard radius > 0 else { throw .outOfRange(field: 6, found: UInt64(bitPattern: radius)) }
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: try numbers[1].required(1)), timeValidity: try code(2).required(2),
      receivedAt: Instant(nanoseconds: try numbers[3].required(3)), coordinate: coordinate,
      horizontalRadius68: Meters(Double(radius) / Self.perUnit), kind: try code(14).required(14),
      technologies: Technologies(rawValue: try integer(16).required(16)))
    fix.heightAboveEllipsoid = quantity(7).map { Meters($0) }
    fix.heightAboveMeanSeaLevel = quantity(8).map { Meters($0) }
    fix.verticalRadius68 = quantity(9).map { Meters($0) }
    fix.speedMetersPerSecond = quantity(10)
    fix.speedRadius68MetersPerSecond = quantity(11)
    fix.course = quantity(12).map { Angle(degrees: $0) }
    fix.courseRadius68 = quantity(13).map { Angle(degrees: $0) }
    fix.satellitesUsed = try integer(15)
    fix.qualityFlag = try code(17)
    fix.isSimulated = numbers[18] == 1
    fix.isImported = numbers[21] == 1
    fix.hdop = quantity(22)
    fix.correctionAge = numbers[23].map { .nanoseconds($0) }
    (fix.device, fix.receiver) = (device, receiver)
    return fix
  }
}
