import Geodesy
import LocationDatabase
import PlacesCore

extension PlacesReader {
  /// How far from a position addresses and streets are looked for, meters: at least this; with an accuracy, so many standard
  /// deviations; at most the last.
  private static let leastHorizon = 60.0
  private static let horizonDeviations = 1.8
  private static let mostHorizon = 250.0
  /// The share of the probability that a street must have.
  private static let leastStreetShare = 0.5
  /// That of a house number: more than half, so that at least 85 % of the reported numbers are right. Of the numbers with a share of
  /// at least this, the mean share is so high.
  private static let leastNumberShare = 0.7
  /// The most blocks that are read, and the most areas and grounds whose outlines are compared.
  private static let mostBlocks = 256
  private static let mostAreas = 256
  /// An exact position is at an address only within this distance, meters.
  private static let addressReach: Float = 40

  /// The place at a position, as precise as its accuracy permits.
  mutating func place(at query: ReverseQuery) throws(DatabaseError) -> Place? {
    let point = LocalPoint(query.coordinate)
    let plane = LocalPlane(around: point)
    let deviation = query.standardDeviation
    let horizon = min(max(Self.leastHorizon, deviation * Self.horizonDeviations), Self.mostHorizon)
    try readNearby(plane, horizon: horizon)
    let shares = NearestShares(nearby, deviation: deviation)

    var place = Place(coordinate: query.coordinate, kind: .zone)
    place.sources = [provenance]
    var hasStreet = false
    if let address = shares.address, address.share >= Self.leastNumberShare,
      try set(
        address: nearby.items[address.item], isExact: deviation == 0, of: &place, plane, query.languages)
    {
      hasStreet = true
    } else if let street = shares.street, street.share >= Self.leastStreetShare,
      let row = try row(Int64(street.feature))
    {
      try set(street: row, of: &place, plane, query.languages)
      hasStreet = true
    }
    if hasStreet {
      if deviation <= 10 { try setPointOfInterest(of: &place, plane, query.languages) }
    } else {
      try setAreas(around: point, of: &place, plane, query.languages, accuracy: query.accuracy?.value ?? 0)
    }
    for ground in try containing(point, interestIDs) {
      let name = ground.name(in: query.languages)
      switch ground.kind {
      case .water:
        if place.inlandWater == nil, query.accuracy?.value ?? 0 <= Double(ground.radius) { place.inlandWater = name }
      case .ground:
        guard place.areasOfInterest.count < Place.mostAreas, !place.areasOfInterest.contains(name) else { continue }
        if query.accuracy?.value ?? 0 <= Double(ground.radius) { place.areasOfInterest.append(name) }
      case .street, .pointOfInterest, .quarter, .town, .region, .postalArea, .country: break
      }
    }
    if place.kind == .zone, place.inlandWater != nil { place.kind = .inlandWater }
    if place.kind == .zone, place.administrativeArea == nil, place.areasOfInterest.isEmpty { return nil }
    if place.kind == .zone { place.kind = .area }
    place.name = place.name ?? place.subLocality ?? place.locality ?? place.administrativeArea ?? place.inlandWater
    place.distance = Meters(plane.distance(point, LocalPoint(place.coordinate)))
    return place
  }

  private mutating func readNearby(_ plane: LocalPlane, horizon: Double) throws(DatabaseError) {
    nearby.removeAll()
    nearby.horizon = Float(horizon)
    blockIDs.removeAll(keepingCapacity: true)
    areaIDs.removeAll(keepingCapacity: true)
    interestIDs.removeAll(keepingCapacity: true)
    let (reachX, reachY) = (Int64(horizon / plane.scaleX) + 1, Int64(horizon / plane.scaleY) + 1)
    let (x, y) = (Int64(plane.origin.x), Int64(plane.origin.y))
    try findBoxes(x - reachX, x + reachX, y - reachY, y + reachY, plane.origin)
    // Across the antimeridian.
    let turn: Int64 = 360_000_000
    if x + reachX > turn / 2 { try findBoxes(-turn / 2, x + reachX - turn, y - reachY, y + reachY, plane.origin) }
    if x - reachX < -turn / 2 { try findBoxes(x - reachX + turn, turn / 2, y - reachY, y + reachY, plane.origin) }
    var found = NearbyItems()
    swap(&found, &nearby)
    defer { swap(&found, &nearby) }
    for id in blockIDs {
      guard let known = try known(block: id) else { continue }
      guard found.read(known.entries.span, known.bytes.span, block: Int(id), on: plane) else {
        throw .value(expected: "a block", found: "a damaged one")
      }
    }
  }

  private mutating func findBoxes(
    _ west: Int64, _ east: Int64, _ south: Int64, _ north: Int64, _ point: LocalPoint
  ) throws(DatabaseError) {
    try nearbyBoxes.bind(integers: west, east, south, north)
    while try nearbyBoxes.step() {
      let number = try nearbyBoxes.integer(0)
      guard let kind = PlacesFormat.BoxKind(rawValue: number & 3) else { continue }
      let id = number >> 2
      guard kind != .block else {
        if blockIDs.count < Self.mostBlocks { blockIDs.append(id) }
        continue
      }
      let (x, y) = (Int64(point.x), Int64(point.y))
      guard try nearbyBoxes.integer(1) <= x, try nearbyBoxes.integer(2) >= x, try nearbyBoxes.integer(3) <= y,
        try nearbyBoxes.integer(4) >= y
      else { continue }
      switch kind {
      case .block: break
      case .area: if areaIDs.count < Self.mostAreas { areaIDs.append(id) }
      case .interest: if interestIDs.count < Self.mostAreas { interestIDs.append(id) }
      }
    }
    nearbyBoxes.end()
  }

  /// Returns `false` if the address is too far away, or its street does not exist.
  private mutating func set(
    address item: NearbyItems.Item, isExact: Bool, of place: inout Place, _ plane: LocalPlane, _ languages: [String]
  ) throws(DatabaseError) -> Bool {
    let limit = Self.addressReach * Self.addressReach
    if isExact, nearby.squaredDistance(from: SIMD2(0, 0), to: item) > limit { return false }
    guard let street = try row(Int64(item.feature)), let number = try text(of: item) else { return false }
    place.kind = .address
    place.thoroughfare = street.name(in: languages)
    place.subThoroughfare = number
    place.name = AddressOrder.line(street: street.name(in: languages), number: number, country: country)
    place.postalCode = street.postcode
    place.coordinate = Self.coordinate(item.center, plane)
    place.radius = Meters(Double(item.reach))
    if item.quarter != 0, let quarter = try row(Int64(item.quarter)) { place.subLocality = quarter.name(in: languages) }
    try addTown(street.parent, to: &place, languages)
    return true
  }

  private mutating func set(
    street: FeatureRow, of place: inout Place, _ plane: LocalPlane, _ languages: [String]
  ) throws(DatabaseError) {
    place.kind = .street
    place.thoroughfare = street.name(in: languages)
    place.name = place.thoroughfare
    place.postalCode = street.postcode
    place.coordinate = street.point.coordinate
    place.radius = Meters(Double(street.radius))
    // The quarter and the postal code of the nearest house in the street.
    var (quarter, nearest) = (0, Float.infinity)
    for item in nearby.items where item.kind == .address && item.feature == Int(street.id) {
      let distance = (item.center * item.center).sum()
      if distance < nearest { (quarter, nearest) = (item.quarter, distance) }
    }
    if quarter != 0, let row = try row(Int64(quarter)) { place.subLocality = row.name(in: languages) }
    try addTown(street.parent, to: &place, languages)
  }

  /// A point of interest is the name of the place if the position is in its outline, or nearer to it than to the address.
  private mutating func setPointOfInterest(
    of place: inout Place, _ plane: LocalPlane, _ languages: [String]
  ) throws(DatabaseError) {
    let limit: Float = 25
    var best: (feature: Int, distance: Float)?
    var address = Float.infinity
    for item in nearby.items {
      let distance = nearby.squaredDistance(from: SIMD2(0, 0), to: item)
      switch item.kind {
      case .address: address = min(address, distance)
      case .pointOfInterest:
        // A building belongs to its point of interest alone only if it has an outline; points lie anywhere in houses.
        if distance <= limit * limit, distance < best?.distance ?? .infinity { best = (item.feature, distance) }
      case .street: break
      }
    }
    guard let best, best.distance <= address, let row = try row(Int64(best.feature)) else { return }
    place.name = row.name(in: languages)
    place.kind = .pointOfInterest
  }

  /// Quarter, town and regions from the areas around a position.
  private mutating func setAreas(
    around point: LocalPoint, of place: inout Place, _ plane: LocalPlane, _ languages: [String], accuracy: Double
  ) throws(DatabaseError) {
    for area in try containing(point, areaIDs) {
      // An area that is smaller than the error is not certain.
      guard Double(area.radius) >= accuracy else { continue }
      switch area.kind {
      case .quarter: if place.subLocality == nil { set(.quarter, area, of: &place, languages) }
      case .town:
        if place.locality == nil {
          set(.town, area, of: &place, languages)
          try addTown(area.id, to: &place, languages)
        }
      case .region: if place.administrativeArea == nil { try addTown(area.id, to: &place, languages) }
      case .postalArea: place.postalCode = place.postalCode ?? area.name
      case .country: if !country.isEmpty { place.isoCountryCode = country }
      case .street, .pointOfInterest, .water, .ground: break
      }
    }
  }

  private func set(_ kind: Place.Kind, _ area: FeatureRow, of place: inout Place, _ languages: [String]) {
    if kind == .quarter {
      place.subLocality = area.name(in: languages)
    } else {
      place.locality = area.name(in: languages)
    }
    guard place.kind == .zone else { return }
    place.kind = kind
    place.coordinate = area.point.coordinate
    place.radius = Meters(Double(area.radius))
  }

  /// The number of an address.
  private mutating func text(of item: NearbyItems.Item) throws(DatabaseError) -> String? {
    try known(block: Int64(item.block)).flatMap { known in
      item.number.upperBound <= known.bytes.count ? PackedReader(known.bytes.span).text(in: item.number) : nil
    }
  }

  static func coordinate(_ meters: SIMD2<Float>, _ plane: LocalPlane) -> Coordinate {
    let x = (Double(plane.origin.x) + Double(meters.x) / plane.scaleX) / 1e6
    let y = (Double(plane.origin.y) + Double(meters.y) / plane.scaleY) / 1e6
    return Coordinate(
      latitude: Angle(degrees: min(max(y, -90), 90)),
      longitude: Angle(degrees: x > 180 ? x - 360 : x < -180 ? x + 360 : x))
  }
}
