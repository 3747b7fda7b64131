package import Geodesy
import WireFormats

/// Selects the access points of a tile that has a size limit: those that enable positioning on the most ground.
///
/// A cell of 50 m × 50 m is served if two selected access points are within 100 m. The first counts half, the second
/// half, two more count a little, because routers vanish. The gain of one access point therefore never grows when
/// others are selected. Thus taking the best one each time reaches at least 1 − 1/e of the value of the best selection
/// of that number (Nemhauser, Wolsey, Fisher, 1978), and most gains need not be computed again (Minoux 1978).
package enum TileSelection {
  /// The value of the first, second … access point of a cell.
  private static let worths = [0.5, 0.5, 0.05, 0.02]

  /// Places of a tile whose encoding has at most `budget` bytes, in the order in which they were chosen.
  package static func select(
    _ places: [AccessPointPosition], in key: TileKey, on day: CalendarDate, budget: Int
  ) throws(TileEncodingError) -> [AccessPointPosition] {
    let ranked = rank(places, in: key, count: min(places.count, budget))
    return try longestPrefix(of: ranked, in: key, on: day, budget: budget)
  }

  /// The longest prefix that fits. An additional access point hardly ever makes the encoding shorter.
  package static func longestPrefix(
    of places: [AccessPointPosition], in key: TileKey, on day: CalendarDate, budget: Int
  ) throws(TileEncodingError) -> [AccessPointPosition] {
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

  /// The best `count`, best first. Of equals the more accurate, then the lower address.
  private static func rank(_ places: [AccessPointPosition], in key: TileKey, count: Int) -> [AccessPointPosition] {
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
    var ranked: [AccessPointPosition] = []
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

/// How many access points are within reach of each cell of a grid of 50 m over a tile.
package struct CoverageGrid: Sendable {
  /// Meters between two cells, and the greatest distance from an access point to the center of a cell that it serves.
  static let spacing = 50.0
  static let reach = 100.0
  /// Access points needed for a position that does not depend on a single one.
  package static let enough = 2

  private let frame: LocalFrame
  /// Cells along an edge: a tile, and a margin for the reach of its access points.
  private let width: Int
  package private(set) var counts: [UInt16]

  package init(_ tile: TileKey) {
    let half = TileCell.count / 2
    frame = LocalFrame(origin: TileCell(x: half, y: half).middle(in: tile))
    width = Int(5_200 / Self.spacing) + 2 * Int(Self.reach / Self.spacing)
    counts = [UInt16](repeating: 0, count: width * width)
  }

  /// The cells whose center is within reach of a place.
  func cells(around place: Coordinate) -> [Int] {
    let offset = frame.offset(of: place)
    let (x, y) = (
      offset.eastMeters / Self.spacing + Double(width) / 2, offset.northMeters / Self.spacing + Double(width) / 2
    )
    let reach = Self.reach / Self.spacing
    func range(_ middle: Double) -> ClosedRange<Int> {
      let (low, high) = (Int((middle - reach).rounded(.up)), Int((middle + reach).rounded(.down)))
      return max(0, min(width - 1, low))...max(0, min(width - 1, high))
    }
    var cells: [Int] = []
    for row in range(y) {
      for column in range(x) {
        let (dx, dy) = (Double(column) - x, Double(row) - y)
        if dx * dx + dy * dy <= reach * reach { cells.append(row * width + column) }
      }
    }
    return cells
  }

  /// Counts one access point.
  package mutating func add(_ place: Coordinate) {
    for cell in cells(around: place) where counts[cell] < .max { counts[cell] += 1 }
  }
}

/// The gain of each candidate, the greatest first; of equals the lower index.
struct GainHeap {
  typealias Element = (gain: Double, index: Int)
  private var elements: [Element] = []

  init(_ elements: [Element]) {
    self.elements = elements.sorted { Self.isBefore($0, $1) }
  }

  var first: Element? { elements.first }

  private static func isBefore(_ a: Element, _ b: Element) -> Bool {
    a.gain != b.gain ? a.gain > b.gain : a.index < b.index
  }

  mutating func push(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0, Self.isBefore(elements[child], elements[(child - 1) / 2]) {
      elements.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func pop() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard let best = elements.first else { return last }
    elements[0] = last
    var parent = 0
    while true {
      let children = (2 * parent + 1)...(2 * parent + 2)
      guard let child = children.filter({ $0 < elements.count }).min(by: { Self.isBefore(elements[$0], elements[$1]) }),
        Self.isBefore(elements[child], elements[parent])
      else { return best }
      elements.swapAt(child, parent)
      parent = child
    }
  }
}
