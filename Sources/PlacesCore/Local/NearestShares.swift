import Geodesy

/// How the probability of a position is distributed over the addresses and streets around it: the share of each is the part of the
/// normal distribution that is nearer to its outline than to any other.
package struct NearestShares: Sendable {
  /// The most probable address: its index in the items, and its share.
  package private(set) var address: (item: Int, share: Double)?
  /// The most probable street by its own course and its addresses: its feature and its share.
  package private(set) var street: (feature: Int, share: Double)?

  /// Farther from a position than this, meters, a house or a street says nothing about it.
  private static let addressLimit: Float = 60
  private static let streetLimit: Float = 100
  /// Within the square root of this of a house, square meters, a position is in its street.
  private static let clearlyAtHouse: Float = 400

  /// Points that stand for equal parts of a normal distribution with a standard deviation of 1: on a spiral with the golden angle,
  /// which spreads them evenly (Vogel, A better way to construct the sunflower head, 1979).
  private static let fine = samples(count: 64)
  private static let middle = samples(count: 32)
  private static let coarse = samples(count: 16)

  private static func samples(count: Int) -> [SIMD2<Float>] {
    var left = (0..<count).map { index in
      let radius = (-2 * Math.log(1 - (Double(index) + 0.5) / Double(count))).squareRoot()
      let angle = Double(index) * Double.pi * (3 - 5.0.squareRoot())
      return SIMD2(Float(radius * Math.cos(angle)), Float(radius * Math.sin(angle)))
    }
    // Each near the one before: what is nearest to a point is mostly nearest to the next one.
    var order: [SIMD2<Float>] = []
    var last = SIMD2<Float>(0, 0)
    while !left.isEmpty {
      func apart(_ index: Int) -> Float { ((left[index] - last) * (left[index] - last)).sum() }
      let next = left.indices.min { apart($0) < apart($1) } ?? 0
      last = left.remove(at: next)
      order.append(last)
    }
    return order
  }

  /// - Parameter deviation: the standard deviation of the position in each direction, meters; 0: exact.
  package init(_ nearby: borrowing NearbyItems, deviation: Double) {
    var tally = Tally(items: nearby.items.count)
    var houses = Candidates(limit: Self.addressLimit)
    for (index, item) in nearby.items.enumerated() where item.kind == .address { houses.add(item, index) }
    // Few positions in towns need them.
    var roads: Candidates?
    guard deviation > 0 else {
      Self.count(SIMD2(0, 0), nearby, &houses, &roads, &tally)
      set(tally)
      return
    }
    // Most positions are decided by few points: no house is probable, and the street is clear or hopeless.
    for (index, sample) in Self.coarse.enumerated() {
      Self.count(sample * Float(deviation), nearby, &houses, &roads, &tally)
      guard !tally.isDecided(rest: Self.coarse.count - 1 - index, of: Self.coarse.count) else {
        set(tally)
        return
      }
    }
    // The share of a street needs fewer points than that of a house.
    let isHousePossible = tally.isHousePossible(of: Self.coarse.count)
    guard isHousePossible || tally.mostStreet != nil else {
      set(tally)
      return
    }
    tally.removeAll()
    for sample in isHousePossible ? Self.fine : Self.middle {
      Self.count(sample * Float(deviation), nearby, &houses, &roads, &tally)
    }
    set(tally)
  }

  /// Adds what is nearest to a point.
  private static func count(
    _ point: SIMD2<Float>, _ nearby: borrowing NearbyItems, _ houses: inout Candidates, _ roads: inout Candidates?,
    _ tally: inout Tally
  ) {
    let house = houses.nearest(to: point, of: nearby)
    var nearest = house
    // The street of the nearest house, unless the position is much nearer to another street.
    if house?.squared ?? .infinity > clearlyAtHouse {
      var candidates = roads ?? Self.roads(nearby)
      roads = nil
      let road = candidates.nearest(to: point, of: nearby)
      roads = candidates
      if let road, house?.squared ?? .infinity > road.squared * 4 { nearest = road }
    }
    tally.add(house: house?.item, street: nearest.map { nearby.items[$0.item].feature })
  }

  private static func roads(_ nearby: borrowing NearbyItems) -> Candidates {
    var roads = Candidates(limit: streetLimit)
    for (index, item) in nearby.items.enumerated() where item.kind == .street { roads.add(item, index, nearby) }
    return roads
  }

  private mutating func set(_ tally: Tally) {
    let all = Double(tally.count)
    address = tally.mostHouse.map { ($0.item, Double($0.count) / all) }
    street = tally.mostStreet.map { ($0.feature, Double($0.count) / all) }
  }
}

/// How many points are nearest to each house and to each street.
private struct Tally {
  /// The share from which a house may be the answer, and those below and above which a street needs no further points: all as shares of
  /// the coarse points.
  static let possibleHouse = 0.4
  static let hopelessStreet = 0.35
  static let clearStreet = 0.65

  private(set) var count = 0
  private var houses: [Int32]
  private var streets: [(feature: Int, count: Int)] = []
  private(set) var mostHouse: (item: Int, count: Int)?

  init(items: Int) { houses = [Int32](repeating: 0, count: items) }

  mutating func removeAll() {
    count = 0
    for index in houses.indices { houses[index] = 0 }
    streets.removeAll(keepingCapacity: true)
    mostHouse = nil
  }

  mutating func add(house: Int?, street: Int?) {
    count += 1
    if let house {
      houses[house] += 1
      let number = Int(houses[house])
      if number > mostHouse?.count ?? 0 { mostHouse = (house, number) }
    }
    guard let street else { return }
    for index in streets.indices where streets[index].feature == street {
      streets[index].count += 1
      return
    }
    streets.append((street, 1))
  }

  var mostStreet: (feature: Int, count: Int)? { streets.max { $0.count < $1.count } }

  /// Whether a house may have most of the probability.
  func isHousePossible(of all: Int) -> Bool { Double(mostHouse?.count ?? 0) > Self.possibleHouse * Double(all) }

  /// Whether the answer is clear although some points remain: no house is possible, and the street is clear or hopeless. The first points
  /// are the inner ones: a house that has few of them has no more of the others.
  func isDecided(rest: Int, of all: Int) -> Bool {
    let house = mostHouse?.count ?? 0
    guard Double(house + rest) <= Self.possibleHouse * Double(all) || (count >= all / 2 && house * 4 <= count) else {
      return false
    }
    let most = mostStreet?.count ?? 0
    return Double(most) > Self.clearStreet * Double(all) || (most == count && most * 2 > all)
      || Double(most + rest) < Self.hopelessStreet * Double(all)
  }
}

/// The houses, or the streets, among which the nearest is looked for: each with the box around it, because its outline takes many times as
/// long to compare.
private struct Candidates {
  private struct Entry {
    let center: SIMD2<Float>
    let half: SIMD2<Float>
    let item: Int32
    /// The points of the item that are compared; of a house all.
    let first: Int32
    let last: Int32

    /// The squared distance from a point to the box, which is no more than that to what is in it.
    func squaredDistanceOfBox(from point: SIMD2<Float>) -> Float {
      let east = max(abs(center.x - point.x) - half.x, 0)
      let north = max(abs(center.y - point.y) - half.y, 0)
      return east * east + north * north
    }
  }

  /// A piece of a street is divided into parts of so many edges, whose boxes are small.
  private static let mostEdges = 3

  /// The square of the distance beyond which nothing is found, square meters.
  private let squaredLimit: Float
  private var entries: [Entry] = []
  /// The entry that was nearest to the last point.
  private var last: Int?

  init(limit: Float) {
    squaredLimit = limit * limit
    entries.reserveCapacity(128)
  }

  /// Adds a house.
  mutating func add(_ item: NearbyItems.Item, _ index: Int) {
    entries.append(
      Entry(
        center: item.center, half: item.half, item: Int32(index), first: Int32(item.first),
        last: Int32(item.first + item.count - 1)))
  }

  /// Adds the parts of a piece of a street.
  mutating func add(_ item: NearbyItems.Item, _ index: Int, _ nearby: borrowing NearbyItems) {
    guard !item.isClosed, item.count > Self.mostEdges + 1 else {
      add(item, index)
      return
    }
    let points = nearby.points.span
    let end = item.first + item.count - 1
    var first = item.first
    while first < end {
      let last = min(first + Self.mostEdges, end)
      var (west, south) = (points[first].x, points[first].y)
      var (east, north) = (west, south)
      for number in (first + 1)...last {
        let point = points[number]
        west = min(west, point.x)
        east = max(east, point.x)
        south = min(south, point.y)
        north = max(north, point.y)
      }
      entries.append(
        Entry(
          center: SIMD2((west + east) / 2, (south + north) / 2), half: SIMD2((east - west) / 2, (north - south) / 2),
          item: Int32(index), first: Int32(first), last: Int32(last)))
      first = last
    }
  }

  /// The item that is nearest to a point; `nil` if none is near enough.
  mutating func nearest(to point: SIMD2<Float>, of nearby: borrowing NearbyItems) -> (item: Int, squared: Float)? {
    guard let (entry, squared) = search(point, nearby) else { return nil }
    last = entry
    return (Int(entries[entry].item), squared)
  }

  private func search(_ point: SIMD2<Float>, _ nearby: borrowing NearbyItems) -> (entry: Int, squared: Float)? {
    var (found, best): (Int, Float) = (-1, squaredLimit)
    // What is nearest to a point is mostly nearest to the next one.
    if let last {
      let squared = Self.squaredDistance(from: point, to: entries[last], of: nearby)
      if squared < best { (found, best) = (last, squared) }
    }
    let all = entries.span
    for index in all.indices where all[index].squaredDistanceOfBox(from: point) < best && index != found {
      let squared = Self.squaredDistance(from: point, to: all[index], of: nearby)
      if squared < best { (found, best) = (index, squared) }
    }
    return found >= 0 ? (found, best) : nil
  }

  private static func squaredDistance(
    from point: SIMD2<Float>, to entry: Entry, of nearby: borrowing NearbyItems
  ) -> Float {
    let item = nearby.items[Int(entry.item)]
    if item.isClosed { return nearby.squaredDistance(from: point, to: item) }
    return nearby.squaredDistance(from: point, toLine: Int(entry.first)...Int(entry.last))
  }
}
