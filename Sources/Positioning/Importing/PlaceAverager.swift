import Geodesy
package import WireFormats

/// One place of all rows of an address in a table: WiGLE's application writes a row for each time that it heard a network.
///
/// Each counts by the square of its radius, as one who stood nearer or had a better fix knows more. Rows farther apart than access points
/// are heard are two places, and the later one counts. Holds so many addresses; then it hands them all out, so that of an address
/// whose rows are farther apart than that the last ones count.
package struct PlaceAverager: Sendable {
  /// Addresses that are held, of some 100 bytes each.
  package static let capacity = 65_536
  /// Rows that are farther apart are not of one place, metres: as when learning.
  fileprivate static let greatestRange = PositioningTuning.standard.learning.greatestRange
  /// So many rows at most are worth something by themselves: the rest was written on the same way past it.
  fileprivate static let greatestIndependent = 4.0

  fileprivate struct Average {
    var coordinate: Coordinate
    /// Sum of the weights, m⁻²: each 1 over its radius squared.
    var weight: Double
    /// Mean square of the distances from the mean, weighted, m².
    var scatter = 0.0
    var count = 1
  }

  private let capacity: Int
  private var averages: [BSSID: Average] = [:]

  package init(capacity: Int = capacity) {
    precondition(capacity > 0)
    self.capacity = capacity
  }

  /// Takes a row, and hands out what it has no room for.
  package mutating func take(_ place: AccessPointPlace, _ body: (AccessPointPlace) -> Void) {
    let new = Average(
      coordinate: place.coordinate, weight: 1 / (place.radius68.value * place.radius68.value))
    if var average = averages[place.bssid], average.add(new) {
      averages[place.bssid] = average
      return
    }
    if averages.count >= capacity, averages[place.bssid] == nil { finish(body) }
    averages[place.bssid] = new
  }

  /// Who asks to be left out is.
  package mutating func forget(_ bssid: BSSID) { averages[bssid] = nil }

  /// Hands out all that is left, by their addresses.
  package mutating func finish(_ body: (AccessPointPlace) -> Void) {
    for (bssid, average) in averages.sorted(by: { $0.key < $1.key }) {
      body(AccessPointPlace(bssid: bssid, coordinate: average.coordinate, radius68: average.radius68))
    }
    averages.removeAll(keepingCapacity: true)
  }
}

extension PlaceAverager.Average {
  /// Takes another one, unless it is elsewhere.
  fileprivate mutating func add(_ other: Self) -> Bool {
    let frame = LocalFrame(origin: coordinate)
    let step = frame.offset(of: other.coordinate)
    guard step.length.value <= PlaceAverager.greatestRange else { return false }
    let share = other.weight / (weight + other.weight)
    scatter = (scatter + step.length.value * step.length.value * share) * (1 - share)
    coordinate = frame.coordinate(
      at: .init(eastMeters: share * step.eastMeters, northMeters: share * step.northMeters))
    weight += other.weight
    count += 1
    return true
  }

  /// What the rows tell of themselves, or how far they are from each other where that is more; and of some of them the mean is better.
  fileprivate var radius68: Meters {
    let told = Double(count) / weight
    // 68 % of a normal error in two axes are within 1.07 times its root mean square.
    let seen = 1.148 * scatter
    return Meters((max(told, seen) / min(PlaceAverager.greatestIndependent, Double(count))).squareRoot())
  }
}
