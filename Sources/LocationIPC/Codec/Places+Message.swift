import Geodesy
package import PlacesCore
import Positioning

/// Field 1 is the case; 2 and 3 latitude and longitude, of a hint in a search; 4 the accuracy or the radius of the hint; 5 languages; 6 the
/// text, as bytes, because it may be longer than other texts; 7 the parts of an address; 8 the limit.
extension PlacesRequest: MessageContent {
  func write(to message: inout MessageWriter) {
    func put(_ coordinate: Coordinate, _ radius: Meters?) {
      message.put(2, coordinate.latitude.degrees)
      message.put(3, coordinate.longitude.degrees)
      message.put(4, radius?.value)
    }
    switch self {
    case .at(let query):
      message.put(1, 0 as UInt64)
      put(query.coordinate, query.accuracy)
      message.put(5, query.languages, limit: MessageLimits.languages)
    case .find(let query):
      message.put(1, 1 as UInt64)
      if let hint = query.hint { put(hint.center, hint.radius) }
      message.put(5, query.languages, limit: MessageLimits.languages)
      switch query.subject {
      // No search has an answer to a longer text.
      case .text(let text): message.put(6, text.utf8.count <= ForwardQuery.longestText ? Array(text.utf8) : [])
      case .parts(let parts): message.put(7, parts)
      }
      message.put(8, UInt64(query.limit))
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    let coordinate = try fields.coordinate(2, 3)
    let radius = try fields.double(4).map { Meters($0) }
    if let radius, radius < Meters(0) { throw .outOfRange(field: 4, found: radius.value.bitPattern) }
    let languages = try fields.texts(5, limit: MessageLimits.languages) ?? []
    switch code {
    case 0:
      self = .at(ReverseQuery(try coordinate.required(2), accuracy: radius, languages: languages))
    case 1:
      let subject: ForwardQuery.Subject
      if let parts = try fields.content(7, AddressParts.self) {
        subject = .parts(parts)
      } else {
        let bytes = try fields.bytes(6).required(6)
        guard bytes.count <= ForwardQuery.longestText else {
          throw .tooLong(field: 6, limit: ForwardQuery.longestText, found: bytes.count)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(field: 6) }
        subject = .text(text)
      }
      let limit = try fields.number(8) ?? UInt64(ForwardQuery.mostPlaces)
      guard (1...UInt64(ForwardQuery.mostPlaces)).contains(limit) else { throw .outOfRange(field: 8, found: limit) }
      self = .find(
        ForwardQuery(
          subject, near: coordinate.map { ForwardQuery.Hint(center: $0, radius: radius) }, languages: languages,
          limit: Int(limit)))
    default: throw .unknownCode(field: 1, found: code)
    }
  }
}

extension AddressParts: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, name)
    message.put(2, street)
    message.put(3, subThoroughfare)
    message.put(4, subLocality)
    message.put(5, locality)
    message.put(6, administrativeArea)
    message.put(7, subAdministrativeArea)
    message.put(8, postalCode)
    message.put(9, country)
    message.put(10, isoCountryCode)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init()
    name = try fields.text(1)
    street = try fields.text(2)
    subThoroughfare = try fields.text(3)
    subLocality = try fields.text(4)
    locality = try fields.text(5)
    administrativeArea = try fields.text(6)
    subAdministrativeArea = try fields.text(7)
    postalCode = try fields.text(8)
    country = try fields.text(9)
    isoCountryCode = try fields.text(10)
  }
}

/// 1 is the list of places.
struct PlacesAnswer: MessageContent {
  let places: [Place]

  init(_ places: [Place]) { self.places = places }

  func write(to message: inout MessageWriter) { message.put(1, places, limit: MessageLimits.foundPlaces) }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    places = try fields.list(1, limit: MessageLimits.foundPlaces) ?? []
  }
}

/// 1 and 2 are latitude and longitude, 3 the radius, 4 the kind, 5 to 16 the names, 17 areas of interest, 18 the distance, 19 whether the
/// match is partial, 20 the sources.
extension Place: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, coordinate.latitude.degrees)
    message.put(2, coordinate.longitude.degrees)
    message.put(3, radius.value)
    message.put(4, kind.code)
    message.put(5, name)
    message.put(6, thoroughfare)
    message.put(7, subThoroughfare)
    message.put(8, locality)
    message.put(9, subLocality)
    message.put(10, administrativeArea)
    message.put(11, subAdministrativeArea)
    message.put(12, postalCode)
    message.put(13, isoCountryCode)
    message.put(14, inlandWater)
    message.put(15, ocean)
    message.put(16, timeZone)
    message.put(17, areasOfInterest, limit: Place.mostAreas)
    message.put(18, distance?.value)
    message.put(19, match == .partial ? true : nil)
    message.put(20, sources, limit: MessageLimits.foundPlaces)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(4).required(4)
    guard let kind = Kind(code: code) else { throw .unknownCode(field: 4, found: code) }
    self.init(
      coordinate: try fields.coordinate(1, 2).required(1), radius: Meters(try fields.double(3) ?? 0), kind: kind)
    name = try fields.text(5)
    thoroughfare = try fields.text(6)
    subThoroughfare = try fields.text(7)
    locality = try fields.text(8)
    subLocality = try fields.text(9)
    administrativeArea = try fields.text(10)
    subAdministrativeArea = try fields.text(11)
    postalCode = try fields.text(12)
    isoCountryCode = try fields.text(13)
    inlandWater = try fields.text(14)
    ocean = try fields.text(15)
    timeZone = try fields.text(16)
    areasOfInterest = try fields.texts(17, limit: Place.mostAreas) ?? []
    distance = try fields.double(18).map { Meters($0) }
    match = try fields.flag(19) == true ? .partial : .complete
    sources = try fields.list(20, limit: MessageLimits.foundPlaces) ?? []
  }
}

extension Place.Kind {
  /// The number in messages; never changed.
  package var code: UInt64 {
    switch self {
    case .address: 0
    case .street: 1
    case .pointOfInterest: 2
    case .quarter: 3
    case .town: 4
    case .area: 5
    case .inlandWater: 6
    case .ocean: 7
    case .zone: 8
    }
  }

  package init?(code: UInt64) {
    guard let kind = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = kind
  }
}

extension PlaceProvenance: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, name)
    message.put(2, license)
    message.put(3, attribution)
    message.put(4, dataDate)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(
      name: try fields.text(1) ?? "", license: try fields.text(2) ?? "", attribution: try fields.text(3) ?? "",
      dataDate: try fields.text(4) ?? "")
  }
}

/// 1 is the case, 2 the name of the server, 3 and 4 the problem and its number.
extension PlacesFailure: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .noProvider: message.put(1, 0 as UInt64)
    case .noContact: message.put(1, 1 as UInt64)
    case .busy: message.put(1, 2 as UInt64)
    case .tooLong: message.put(1, 3 as UInt64)
    case .failed(let host, let problem):
      message.put(1, 4 as UInt64)
      message.put(2, host)
      message.put(3, UInt64(problem.code))
      message.put(4, signed: Int64(problem.number))
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    switch try fields.number(1).required(1) {
    case 0: self = .noProvider
    case 1: self = .noContact
    case 2: self = .busy
    case 3: self = .tooLong
    case 4:
      // A problem of a later version is still a problem.
      let problem = FetchProblem(
        code: UInt8(clamping: try fields.number(3).required(3)), number: try fields.signedInteger(4) ?? 0)
      self = .failed(host: try fields.text(2) ?? "", problem ?? .fetcherFailed)
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}

extension MessageFields {
  /// A position in two fields, in degrees; `nil` if either is absent.
  fileprivate func coordinate(_ latitude: Int, _ longitude: Int) throws(MessageError) -> Coordinate? {
    guard let north = try double(latitude), let east = try double(longitude) else { return nil }
    guard let coordinate = Coordinate(checkingLatitude: north, longitude: east) else {
      throw .outOfRange(field: latitude, found: north.bitPattern)
    }
    return coordinate
  }
}
