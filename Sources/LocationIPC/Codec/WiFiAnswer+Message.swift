import Geodesy
import Positioning
import WireFormats

/// Field 1 is the observation; 2 the account; 3 known access points, and 4 the address after which to continue.
extension WiFiAnswer: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .received(let located): message.put(1, located)
    case .account(let account): message.put(2, account)
    case .places(let places, let next):
      message.put(3, places, limit: MessageLimits.accessPoints)
      message.put(4, next?.rawValue)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    if let located = try fields.content(1, WiFiObservation.self) {
      self = .received(located)
    } else if let account = try fields.content(2, WiFiAccount.self) {
      self = .account(account)
    } else {
      self = .places(
        try fields.list(3, limit: MessageLimits.accessPoints).required(3), next: try fields.bssid(4))
    }
  }
}

/// 1, 2 and 3 are the numbers of learned, imported and downloaded access points; 4 tiles; 5 the provider, 6 the source of
/// tiles.
extension WiFiAccount: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, UInt64(clamping: learned))
    message.put(2, UInt64(clamping: imported))
    message.put(3, UInt64(clamping: fetched))
    message.put(4, UInt64(clamping: tiles))
    message.put(5, provider)
    message.put(6, tileSource)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(
      learned: try fields.integer(1) ?? 0, imported: try fields.integer(2) ?? 0, fetched: try fields.integer(3) ?? 0,
      tiles: try fields.integer(4) ?? 0)
    provider = try fields.content(5)
    tileSource = try fields.content(6)
  }
}

/// 1 is its name; 2 and 3 the problem and its number; 4 the number of bad tiles.
extension NetworkSourceStatus: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, name)
    message.put(2, problem.map { UInt64($0.code) })
    message.put(3, signed: problem.map { Int64($0.number) })
    message.put(4, UInt64(clamping: badTiles))
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    var problem: FetchProblem?
    if let code = try fields.number(2) {
      // A problem of a later version is still a problem.
      problem = FetchProblem(code: UInt8(clamping: code), number: try fields.signedInteger(3) ?? 0) ?? .fetcherFailed
    }
    self.init(name: try fields.text(1) ?? "", problem: problem, badTiles: try fields.integer(4) ?? 0)
  }
}

/// 1 are the access points; 2, 3 and 4 latitude, longitude and radius; 5 the problem.
extension WiFiObservation: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, accessPoints, limit: MessageLimits.accessPoints)
    message.put(2, coordinate?.latitude.degrees)
    message.put(3, coordinate?.longitude.degrees)
    message.put(4, horizontalRadius68?.value)
    message.put(5, problem)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init()
    accessPoints = try fields.list(1, limit: MessageLimits.accessPoints) ?? []
    if let latitude = try fields.double(2), let longitude = try fields.double(3) {
      guard let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude) else {
        throw .outOfRange(field: 2, found: latitude.bitPattern)
      }
      self.coordinate = coordinate
    }
    horizontalRadius68 = try fields.double(4).map { Meters($0) }
    problem = try fields.content(5)
  }
}

extension VisibleAccessPoint: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, bssid.rawValue)
    message.put(2, signalDecibelMilliwatts)
    message.put(3, signed: frequencyMegahertz)
    message.put(4, age)
    message.put(5, isKnown)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(
      bssid: try fields.bssid(1).required(1), signalDecibelMilliwatts: try fields.double(2),
      frequencyMegahertz: try fields.signedInteger(3), age: try fields.duration(4).required(4),
      isKnown: try fields.flag(5) ?? false)
  }
}

/// 1 is its row; 2 the number of observations, 3 and 4 the first and the last day.
extension KnownAccessPoint: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, AccessPointRows.bytes([place]))
    message.put(2, signed: observations)
    message.put(3, signed: days?.lowerBound)
    message.put(4, signed: days?.upperBound)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    guard let place = try AccessPointRows.places(try fields.bytes(1).required(1), field: 1).first else {
      throw .outOfRange(field: 1, found: 0)
    }
    var days: ClosedRange<Int>?
    if let first = try fields.signedInteger(3, Int.self), let last = try fields.signedInteger(4, Int.self) {
      guard first <= last else { throw .outOfRange(field: 4, found: UInt64(bitPattern: Int64(last))) }
      days = first...last
    }
    self.init(place: place, observations: try fields.signedInteger(2), days: days)
  }
}

/// 1 is the case, 2 the interface's name, 3 `errno`.
extension RadioProblem: MessageContent {
  func write(to message: inout MessageWriter) {
    func put(_ code: UInt64, _ name: String? = nil, errno: Int32? = nil) {
      message.put(1, code)
      message.put(2, name)
      message.put(3, signed: errno.map(Int64.init))
    }
    switch self {
    case .noKernelSupport: put(0)
    case .switchedOff: put(8)
    case .notInSource: put(9)
    case .noRadio: put(1)
    case .noAnswer: put(2)
    case .noSocket(let errno): put(3, errno: errno)
    case .noPrivilege: put(4)
    case .interfaceDown(let name): put(5, name)
    case .servesOthers(let name): put(6, name)
    case .refused(let name, let errno): put(7, name, errno: errno)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    let name = try fields.text(2) ?? ""
    switch code {
    case 0: self = .noKernelSupport
    case 1: self = .noRadio
    case 8: self = .switchedOff
    case 9: self = .notInSource
    case 2: self = .noAnswer
    case 3: self = .noSocket(errno: try fields.signedInteger(3).required(3))
    case 4: self = .noPrivilege
    case 5: self = .interfaceDown(name: name)
    case 6: self = .servesOthers(name: name)
    case 7: self = .refused(name: name, errno: try fields.signedInteger(3).required(3))
    default: throw .unknownCode(field: 1, found: code)
    }
  }
}

/// Field 1 is the case, 2 the number of received access points, 3 how many of them are known, 4 the problem.
extension WiFiReport: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .off: message.put(1, UInt64(0))
    case .resting: message.put(1, UInt64(1))
    case .listening(let received, let known, let problem):
      message.put(1, UInt64(2))
      message.put(2, UInt64(clamping: received))
      message.put(3, UInt64(clamping: known))
      message.put(4, problem)
    case .deaf(let problem):
      message.put(1, UInt64(3))
      message.put(4, problem)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    switch code {
    case 0: self = .off
    case 1: self = .resting
    case 2:
      self = .listening(
        received: try fields.integer(2).required(2), known: try fields.integer(3).required(3),
        problem: try fields.content(4))
    case 3: self = .deaf(try fields.content(4).required(4))
    default: throw .unknownCode(field: 1, found: code)
    }
  }
}

/// Positions of access points, 16 bytes each, little-endian: address (48 bits), latitude and longitude (10⁻⁷ degrees), 68 %
/// radius (decimeters, at most 6.5 km). The compact form lets a city be imported in a few seconds.
enum AccessPointRows {
  static let size = 16

  static func bytes(_ places: some Collection<AccessPointPosition>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(places.count * size)
    func put(_ value: UInt64, _ count: Int) {
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }
    for place in places {
      put(place.bssid.rawValue, 6)
      put(UInt64(bitPattern: Int64((place.coordinate.latitude.degrees * 1e7).rounded())), 4)
      put(UInt64(bitPattern: Int64((place.coordinate.longitude.degrees * 1e7).rounded())), 4)
      put(UInt64(min(max((place.radius68.value * 10).rounded(.up), 1), 65_535)), 2)
    }
    return bytes
  }

  static func places(_ bytes: [UInt8], field: Int) throws(MessageError) -> [AccessPointPosition] {
    guard bytes.count % size == 0, bytes.count / size <= MessageLimits.placesAdded else {
      throw .outOfRange(field: field, found: UInt64(bytes.count))
    }
    var places: [AccessPointPosition] = []
    places.reserveCapacity(bytes.count / size)
    for start in stride(from: 0, to: bytes.count, by: size) {
      func number(_ offset: Int, _ count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(bytes[start + offset + $1]) << UInt64(8 * $1) }
      }
      func degrees(_ offset: Int) -> Double {
        Double(Int32(truncatingIfNeeded: Int64(bitPattern: number(offset, 4)))) / 1e7
      }
      guard let bssid = BSSID(rawValue: number(0, 6)), number(14, 2) > 0,
        let coordinate = Coordinate(checkingLatitude: degrees(6), longitude: degrees(10))
      else { throw .outOfRange(field: field, found: number(0, 6)) }
      places.append(
        AccessPointPosition(bssid: bssid, coordinate: coordinate, radius68: Meters(Double(number(14, 2)) / 10)))
    }
    return places
  }
}
