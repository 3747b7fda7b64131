package import Geodesy
package import Regions

/// What a request asks for.
package enum Route: Hashable, Sendable {
  case file(PageFile)
  /// The stream of events (WHATWG HTML, server-sent events).
  case events
  /// The largest towns of an area.
  case towns(MapArea, most: Int)
  /// The files of tiles.
  case basemap
  /// A tile of one of these files, by its index.
  case tile(file: Int, TileAddress)
  /// The address or the area of a position.
  case address(Coordinate)
  case logs
  /// The fixes of a log as a track; the bounds are inclusive, and `nil` sets none.
  case track(name: String, from: GNSSTime?, to: GNSSTime?)
  case regions
  case setRegion(Region)
  case removeRegion(identifier: String)
  case visits

  /// The result of a search for a route.
  enum Found: Hashable, Sendable {
    case found(Route)
    case unknown
    case wrongMethod
    /// A sentence for a person.
    case invalid(String)
  }

  /// The most towns of one answer.
  package static let mostTowns = 400

  static func of(_ method: String, _ target: RequestTarget, _ body: [UInt8]) -> Found {
    if target.path.count == 2, target.path[0] == "regions" { return region(method, target.path[1], body) }
    guard let route = reading(target) else { return .unknown }
    guard method == "GET" || method == "HEAD" else { return .wrongMethod }
    return route
  }

  private static func reading(_ target: RequestTarget) -> Found? {
    switch target.path {
    case ["events"]: return .found(.events)
    case ["basemap"]: return .found(.basemap)
    case ["address"]:
      guard let place = target.value("at").flatMap({ point($0[...]) }) else {
        return .invalid("The position is not valid.")
      }
      return .found(.address(place))
    case let path where path.count == 5 && path[0] == "tiles":
      let numbers = path.dropFirst().compactMap { $0.utf8.count <= 8 ? Int($0) : nil }
      guard numbers.count == 4, numbers[0] >= 0,
        let address = TileAddress(zoom: numbers[1], column: numbers[2], row: numbers[3])
      else { return .unknown }
      return .found(.tile(file: numbers[0], address))
    case ["logs"]: return .found(.logs)
    case ["regions"]: return .found(.regions)
    case ["visits"]: return .found(.visits)
    case ["towns"]:
      guard let area = target.value("area").flatMap(MapArea.init(parsing:)) else {
        return .invalid("The area is not valid.")
      }
      let most = target.value("most").flatMap { Int($0) } ?? mostTowns
      return .found(.towns(area, most: min(max(most, 1), mostTowns)))
    case let path where path.count == 2 && path[0] == "tracks":
      guard let from = time(target.value("from")), let to = time(target.value("to")) else {
        return .invalid("The time is not valid.")
      }
      return .found(.track(name: path[1], from: from, to: to))
    default:
      return PageFile(path: target.path.joined(separator: "/")).map { .found(.file($0)) }
    }
  }

  /// Seconds since 1970; `.some(nil)` if there is no text.
  private static func time(_ text: String?) -> GNSSTime?? {
    guard let text else { return .some(nil) }
    guard let seconds = Int64(text), (-8_000_000_000...8_000_000_000).contains(seconds) else { return nil }
    return GNSSTime(nanosecondsSince1970: seconds * 1_000_000_000)
  }

  private static func region(_ method: String, _ identifier: String, _ body: [UInt8]) -> Found {
    guard !identifier.isEmpty else { return .invalid("The region has no name.") }
    if method == "DELETE" { return .found(.removeRegion(identifier: identifier)) }
    guard method == "PUT" else { return .wrongMethod }
    guard let fields = RequestTarget.fields(body), let shape = RequestTarget.value("shape", in: fields) else {
      return .invalid("The region is not valid.")
    }
    let points = (RequestTarget.value("points", in: fields) ?? "").split(separator: " ").map(point)
    guard points.allSatisfy({ $0 != nil }) else { return .invalid("A position of the region is not valid.") }
    do throws(RegionError) {
      switch shape {
      case "circle":
        guard points.count == 1, let center = points[0],
          let radius = RequestTarget.value("radius", in: fields).flatMap({ Double($0) })
        else { return .invalid("A circle needs its center and its radius.") }
        let circle = try CircleShape(center: center, radius: Meters(radius))
        return .found(.setRegion(try Region(identifier: identifier, shape: .circle(circle))))
      case "polygon":
        let polygon = try PolygonShape(corners: points.compactMap(\.self))
        return .found(.setRegion(try Region(identifier: identifier, shape: .polygon(polygon))))
      default: return .invalid("The shape of the region is not known.")
      }
    } catch {
      return .invalid(sentence(error))
    }
  }

  /// `LATITUDE,LONGITUDE` in degrees.
  private static func point(_ text: Substring) -> Coordinate? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
    return Coordinate(checkingLatitude: latitude, longitude: longitude)
  }

  private static func sentence(_ error: RegionError) -> String {
    switch error {
    case .identifierLength(_, let most): "The name is longer than \(most) bytes."
    case .place: "A position of the region is not valid."
    case .radius: "The radius must be above zero, and at most half a meridian."
    case .corners(_, let possible): "A polygon has \(possible.lowerBound) to \(possible.upperBound) corners."
    case .extent: "The polygon is too large."
    }
  }
}

/// A part of the map: degrees, without the 180th meridian in it.
package struct MapArea: Hashable, Sendable {
  package var west, south, east, north: Double

  /// `nil` unless the numbers are degrees in this order.
  package init?(west: Double, south: Double, east: Double, north: Double) {
    guard (-180...180).contains(west), (-180...180).contains(east), (-90...90).contains(south),
      (-90...90).contains(north), west <= east, south <= north
    else { return nil }
    (self.west, self.south, self.east, self.north) = (west, south, east, north)
  }

  /// `WEST,SOUTH,EAST,NORTH`.
  init?(parsing text: String) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 4, let west = numbers[0], let south = numbers[1], let east = numbers[2],
      let north = numbers[3]
    else { return nil }
    self.init(west: west, south: south, east: east, north: north)
  }
}
