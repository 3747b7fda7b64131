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
    (0..<count).map { index in
      let radius = (-2 * Math.log(1 - (Double(index) + 0.5) / Double(count))).squareRoot()
      let angle = Double(index) * Double.pi * (3 - 5.0.squareRoot())
      return SIMD2(Float(radius * Math.cos(angle)), Float(radius * Math.sin(angle)))
    }
  }

  /// - Parameter deviation: the standard deviation of the position in each direction, meters; 0: exact.
  package init(_ nearby: NearbyItems, deviation: Double) {
    guard deviation > 0 else {
      count(nearby, Self.entries(nearby), [SIMD2(0, 0)], scale: 0)
      return
    }
    let entries = Self.entries(nearby)
    // Most positions are decided by few points: no house is probable, and the street is clear or hopeless.
    count(nearby, entries, Self.coarse, scale: Float(deviation))
    let isHousePossible = (address?.share ?? 0) > 0.4
    if !isHousePossible, let share = street?.share, share < 0.35 || share > 0.65 { return }
    guard isHousePossible || street != nil else { return }
    count(nearby, entries, Self.fine, scale: Float(deviation))
  }

  /// What the search for the nearest needs of an item.
  private struct Entry {
    var center: SIMD2<Float>
    var reach: Float
    /// The least distance from the position.
    var least: Float
    var index: Int32
    var isHouse: Bool
  }

  /// Sorted by the least distance, so that the search ends early.
  private static func entries(_ nearby: NearbyItems) -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(nearby.items.count)
    for (index, item) in nearby.items.enumerated() where item.kind != .pointOfInterest {
      let least = (item.center * item.center).sum().squareRoot() - item.reach
      entries.append(
        Entry(center: item.center, reach: item.reach, least: least, index: Int32(index), isHouse: item.kind == .address)
      )
    }
    entries.sort { $0.least < $1.least }
    return entries
  }

  private mutating func count(_ nearby: NearbyItems, _ entries: [Entry], _ samples: [SIMD2<Float>], scale: Float) {
    var counts = [Int](repeating: 0, count: nearby.items.count)
    var streets: [(feature: Int, count: Int)] = []
    for sample in samples {
      let point = sample * scale
      let offset = (point * point).sum().squareRoot()
      var (house, houseDistance) = (-1, Self.addressLimit * Self.addressLimit)
      var (road, roadDistance) = (-1, Self.streetLimit * Self.streetLimit)
      for entry in entries {
        let bound = entry.least - offset
        if bound > 0, bound * bound >= max(houseDistance, roadDistance) { break }
        let best = entry.isHouse ? houseDistance : roadDistance
        let apart = entry.center - point
        let (squared, reach) = ((apart * apart).sum(), entry.reach + best.squareRoot())
        if squared >= reach * reach { continue }
        let index = Int(entry.index)
        let distance = nearby.squaredDistance(from: point, to: nearby.items[index])
        if distance >= best { continue }
        if entry.isHouse {
          (house, houseDistance) = (index, distance)
        } else {
          (road, roadDistance) = (index, distance)
        }
      }
      if house >= 0 { counts[house] += 1 }
      // The street of the nearest house, unless the position is much nearer to another street.
      let nearest = house >= 0 && (road < 0 || houseDistance <= max(400, roadDistance * 4)) ? house : road
      if nearest >= 0 {
        let feature = nearby.items[nearest].feature
        if let known = streets.firstIndex(where: { $0.feature == feature }) {
          streets[known].count += 1
        } else {
          streets.append((feature, 1))
        }
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
