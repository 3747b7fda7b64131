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

  /// Points that stand for equal parts of a normal distribution with a standard deviation of 1: on a spiral with the golden angle,
  /// which spreads them evenly (Vogel, A better way to construct the sunflower head, 1979).
  private static let fine = samples(count: 64)
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
    var (houses, roads) = (Candidates(), Candidates())
    for (index, item) in nearby.items.enumerated() {
      switch item.kind {
      case .address: houses.add(item, index)
      case .street: roads.add(item, index)
      case .pointOfInterest: break
      }
    }
    guard deviation > 0 else {
      count(nearby, &houses, &roads, [SIMD2(0, 0)], scale: 0)
      return
    }
    // Most positions are decided by few points: no house is probable, and the street is clear or hopeless.
    count(nearby, &houses, &roads, Self.coarse, scale: Float(deviation))
    let isHousePossible = (address?.share ?? 0) > 0.4
    if !isHousePossible, let share = street?.share, share < 0.35 || share > 0.65 { return }
    guard isHousePossible || street != nil else { return }
    count(nearby, &houses, &roads, Self.fine, scale: Float(deviation))
  }

  /// The houses, or the pieces of streets, among which the nearest is looked for.
  private struct Candidates {
    /// What the search needs of an item.
    private struct Entry {
      /// The distance from `position` is at least this.
      var least: Float
      var index: Int32
      /// The box around the item: its middle and half its extent.
      let center: SIMD2<Float>
      let half: SIMD2<Float>

      /// The distance from a point to the box, which is no more than that to the item.
      func distanceOfBox(from point: SIMD2<Float>) -> Float {
        let east = max(abs(center.x - point.x) - half.x, 0)
        let north = max(abs(center.y - point.y) - half.y, 0)
        return (east * east + north * north).squareRoot()
      }
    }

    private var entries: [Entry] = []
    /// The point that was searched last, and the entry that was nearest to it.
    private var position = SIMD2<Float>(0, 0)
    private var last: Int?

    init() { entries.reserveCapacity(128) }

    mutating func add(_ item: NearbyItems.Item, _ index: Int) {
      var entry = Entry(least: 0, index: Int32(index), center: item.center, half: item.half)
      entry.least = entry.distanceOfBox(from: position)
      entries.append(entry)
    }

    /// The item that is nearest to a point; `nil` if none is nearer than `limit` meters. Few distances are computed: that of an item
    /// changes by no more than the way from one point to the next.
    mutating func nearest(
      to point: SIMD2<Float>, of nearby: borrowing NearbyItems, limit: Float
    ) -> (item: Int, squared: Float)? {
      let (east, north) = (point.x - position.x, point.y - position.y)
      let step = (east * east + north * north).squareRoot()
      position = point
      var (found, best, squared): (Int?, Float, Float) = (nil, limit, limit * limit)
      if let last {
        squared = min(squared, nearby.squaredDistance(from: point, to: nearby.items[Int(entries[last].index)]))
        let distance = squared.squareRoot()
        if distance < best { (found, best) = (last, distance) }
      }
      for index in entries.indices {
        let least = entries[index].least - step
        guard least < best, index != found else {
          entries[index].least = index == found ? best : least
          continue
        }
        // An outline takes many times as long as its box.
        let box = entries[index].distanceOfBox(from: point)
        guard box < best else {
          entries[index].least = box
          continue
        }
        let exact = nearby.squaredDistance(from: point, to: nearby.items[Int(entries[index].index)])
        let distance = exact.squareRoot()
        entries[index].least = distance
        if distance < best { (found, best, squared) = (index, distance, exact) }
      }
      if let found { last = found }
      return found.map { (Int(entries[$0].index), squared) }
    }
  }

  private mutating func count(
    _ nearby: borrowing NearbyItems, _ houses: inout Candidates, _ roads: inout Candidates, _ samples: [SIMD2<Float>],
    scale: Float
  ) {
    var counts = [Int](repeating: 0, count: nearby.items.count)
    var streets: [(feature: Int, count: Int)] = []
    for sample in samples {
      let point = sample * scale
      let house = houses.nearest(to: point, of: nearby, limit: Self.addressLimit)
      let road = roads.nearest(to: point, of: nearby, limit: Self.streetLimit)
      if let house { counts[house.item] += 1 }
      // The street of the nearest house, unless the position is much nearer to another street.
      let isHouse = house.map { house in road.map { house.squared <= max(400, $0.squared * 4) } ?? true } ?? false
      guard let nearest = isHouse ? house : road else { continue }
      let feature = nearby.items[nearest.item].feature
      if let known = streets.firstIndex(where: { $0.feature == feature }) {
        streets[known].count += 1
      } else {
        streets.append((feature, 1))
      }
    }
    let all = Double(samples.count)
    address = nil
    street = nil
    if let most = counts.indices.max(by: { counts[$0] < counts[$1] }), counts[most] > 0 {
      address = (most, Double(counts[most]) / all)
    }
    if let most = streets.max(by: { $0.count < $1.count }) { street = (most.feature, Double(most.count) / all) }
  }
}
