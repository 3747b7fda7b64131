package import Geodesy
import WireFormats

/// Which access points of a tile are kept where it may have so many bytes only: those that give the most ground a position.
///
/// A piece of ground of 50 m × 50 m is served where two of those kept are within 100 m. Half of that counts for the first, half for the
/// second, a little for two more, as routers vanish; what is gained so never grows by keeping others, so that taking the best one each time is
/// within 1 − 1/e of the best choice of so many (Nemhauser, Wolsey, Fisher, 1978), and most gains need not be counted anew (Minoux 1978).
package enum TileSelection {
  /// What the first, second … access point of a cell is worth.
  private static let worths = [0.5, 0.5, 0.05, 0.02]

  /// Places of a tile whose encoding has at most `budget` bytes, in the order in which they were chosen.
  package static func select(
    _ places: [AccessPointPlace], in key: TileKey, on day: CalendarDate, budget: Int
  ) throws(TileEncodingError) -> [AccessPointPlace] {
    let ranked = rank(places, in: key, count: min(places.count, budget))
    return try longestPrefix(of: ranked, in: key, on: day, budget: budget)
  }

  /// As many from the beginning as fit. No access point takes less than nothing, so that sizes hardly ever fall.
  package static func longestPrefix(
    of places: [AccessPointPlace], in key: TileKey, on day: CalendarDate, budget: Int
  ) throws(TileEncodingError) -> [AccessPointPlace] {
    var (fits, tooMany) = (0, places.count + 1)
    while tooMany - fits > 1 {
      let middle = (fits + tooMany) / 2
      if try AccessPointTile.encode(places[..<middle], in: key, on: day).count <= budget {
        fits = middle
      } else {
        tooMany = middle
      }
    }
    return Array(places[..<fits])
  }

  /// The best `count`, best first. Of equals the better known, then the lower address.
  private static func rank(_ places: [AccessPointPlace], in key: TileKey, count: Int) -> [AccessPointPlace] {
    var grid = CoverageGrid(key)
    let sorted = places.sorted { ($0.radius68, $0.bssid) < ($1.radius68, $1.bssid) }
    let cells = sorted.map { grid.cells(around: $0.coordinate) }
    func gain(_ index: Int) -> Double {
      cells[index].reduce(0) { sum, cell in
        let count = Int(grid.counts[cell])
        return count < worths.count ? sum + worths[count] : sum
      }
    }
    var heap = GainHeap(sorted.indices.map { (gain: gain($0), index: $0) })
    var ranked: [AccessPointPlace] = []
    while ranked.count < count, let best = heap.pop() {
      let now = gain(best.index)
      if let next = heap.first, (now, -best.index) < (next.gain, -next.index) {
        heap.push((now, best.index))
      } else {
        ranked.append(sorted[best.index])
        grid.add(sorted[best.index].coordinate)
      }
    }
    return ranked
  }
}
