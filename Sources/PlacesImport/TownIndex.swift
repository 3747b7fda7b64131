import Geodesy
import PlacesCore
import PlacesStore

/// The towns, quarters and areas of an extract, in memory: which of them contain a position, or are near it.
struct TownIndex {
  struct Town {
    /// `town`, `quarter`, `region`, `country` or `postalArea`.
    var kind: PlacesFormat.FeatureKind
    var name: String
    var names: String?
    var detail: String?
    var point: LocalPoint
    /// Half the extent, meters; 0 without an area.
    var radius: Double
    var rank: Int
    var population: Int
    var postcode: String?
    var parent: Int?
    /// The rings of the outline; empty for a place that is only a point.
    var rings: [[LocalPoint]] = []
    var box: Box?
  }

  struct Box {
    var low: LocalPoint
    var high: LocalPoint
    /// OpenStreetMap divides areas at the meridian of 180°: the box of one with parts on both sides reaches around the globe. These are
    /// the western end of the parts in the eastern hemisphere, and the eastern end of those in the western hemisphere; `nil` if the area
    /// does not cross that meridian.
    private var ends: (west: Int32, east: Int32)?

    private static let turn: Int64 = 360_000_000

    init?(_ points: some Sequence<LocalPoint>) {
      var (x0, y0, x1, y1) = (Int32.max, Int32.max, Int32.min, Int32.min)
      var (west, east) = (Int32.max, Int32.min)
      for point in points {
        (x0, y0, x1, y1) = (min(x0, point.x), min(y0, point.y), max(x1, point.x), max(y1, point.y))
        if point.x >= 0 { west = min(west, point.x) } else { east = max(east, point.x) }
      }
      guard x0 <= x1 else { return nil }
      (low, high) = (LocalPoint(x: x0, y: y0), LocalPoint(x: x1, y: y1))
      if west <= x1, east >= x0, Int64(east) + Self.turn - Int64(west) < Int64(x1) - Int64(x0) { ends = (west, east) }
    }

    func contains(_ point: LocalPoint) -> Bool {
      (low.x...high.x).contains(point.x) && (low.y...high.y).contains(point.y)
    }

    var center: LocalPoint {
      var x = (Int64(low.x) + Int64(high.x)) / 2
      if let ends {
        x = (Int64(ends.west) + Int64(ends.east) + Self.turn) / 2
        if x > Self.turn / 2 { x -= Self.turn }
      }
      return LocalPoint(x: Int32(x), y: Int32((Int64(low.y) + Int64(high.y)) / 2))
    }

    /// Half the diagonal, meters.
    var radius: Double {
      LocalPlane(around: center).distance(
        LocalPoint(x: ends?.west ?? low.x, y: low.y), LocalPoint(x: ends?.east ?? high.x, y: high.y)) / 2
    }
  }

  private(set) var all: [Town] = []
  /// The cells of a grid of 0.1° (points) and 0.05° (areas).
  private var pointCells: [Int64: [Int]] = [:]
  private var areaCells: [Int64: [Int]] = [:]
  /// Areas that would fill too many cells.
  private var large: [Int] = []
  private var byName: [String: [Int]] = [:]

  private static let pointCell: Int32 = 100_000
  private static let areaCell: Int32 = 50_000
  private static let mostCells = 4096

  private static func key(_ x: Int32, _ y: Int32) -> Int64 { Int64(x) << 32 | Int64(UInt32(bitPattern: y)) }

  mutating func append(_ town: Town) -> Int {
    let index = all.count
    all.append(town)
    byName[Self.folded(town.name), default: []].append(index)
    for part in town.names?.split(separator: PlacesFormat.nameSeparator) ?? [] {
      guard let equals = part.firstIndex(of: "=") else { continue }
      let key = Self.folded(String(part[part.index(after: equals)...]))
      if byName[key]?.last != index { byName[key, default: []].append(index) }
    }
    guard let box = town.box else {
      let (x, y) = (Self.cell(town.point.x, Self.pointCell), Self.cell(town.point.y, Self.pointCell))
      pointCells[Self.key(Self.column(x), y), default: []].append(index)
      return index
    }
    let columns = Self.cell(box.low.x, Self.areaCell)...Self.cell(box.high.x, Self.areaCell)
    let rows = Self.cell(box.low.y, Self.areaCell)...Self.cell(box.high.y, Self.areaCell)
    guard columns.count * rows.count <= Self.mostCells else {
      large.append(index)
      return index
    }
    for x in columns { for y in rows { areaCells[Self.key(x, y), default: []].append(index) } }
    return index
  }

  private static func cell(_ value: Int32, _ size: Int32) -> Int32 {
    Int32((Double(value) / Double(size)).rounded(.down))
  }

  /// A column of the grid for points, on the other side of the meridian of 180° if it is beyond it.
  private static func column(_ x: Int32) -> Int32 {
    let columns = 360_000_000 / pointCell
    return x >= columns / 2 ? x - columns : x < -columns / 2 ? x + columns : x
  }

  static func folded(_ name: String) -> String { SearchWords.of(name).joined(separator: " ") }

  mutating func setParents() {
    for index in all.indices where all[index].kind != .country {
      let around = containing(all[index].point).filter { other in
        other != index && all[other].radius > all[index].radius
      }
      switch all[index].kind {
      case .quarter: all[index].parent = around.first { all[$0].kind == .town } ?? nearest(all[index].point, .town)
      default: all[index].parent = around.first { all[$0].kind == .region }
      }
    }
  }

  /// Joins the point of a town with its area: the center of a town is where its point is.
  mutating func joinPoints() {
    var joined: Set<Int> = []
    for index in all.indices where all[index].box == nil && (all[index].kind == .town || all[index].kind == .quarter) {
      let point = all[index].point
      let area = containing(point).first { area in
        (all[area].kind == .town || all[area].kind == .quarter && all[index].kind == .quarter)
          && Self.folded(all[area].name) == Self.folded(all[index].name)
      }
      guard let area else { continue }
      all[area].point = point
      all[area].rank = max(all[area].rank, all[index].rank)
      all[area].population = max(all[area].population, all[index].population)
      if all[area].names == nil { all[area].names = all[index].names }
      joined.insert(index)
    }
    remove(joined)
  }

  private mutating func remove(_ removed: Set<Int>) {
    guard !removed.isEmpty else { return }
    let kept = all.indices.filter { !removed.contains($0) }.map { all[$0] }
    self = TownIndex()
    for town in kept { _ = append(town) }
  }

  /// The areas that contain a point, the smallest first.
  func containing(_ point: LocalPoint) -> [Int] {
    let key = Self.key(Self.cell(point.x, Self.areaCell), Self.cell(point.y, Self.areaCell))
    let found = ((areaCells[key] ?? []) + large).filter { index in
      all[index].box?.contains(point) == true && Self.isInside(point, all[index].rings)
    }
    return found.sorted { all[$0].radius < all[$1].radius }
  }

  static func isInside(_ point: LocalPoint, _ rings: [[LocalPoint]]) -> Bool {
    var isInside = false
    for ring in rings {
      guard var previous = ring.last else { continue }
      for next in ring {
        if (previous.y > point.y) != (next.y > point.y) {
          let side =
            (Int(previous.x) - Int(point.x)) * (Int(next.y) - Int(previous.y))
            - (Int(previous.y) - Int(point.y)) * (Int(next.x) - Int(previous.x))
          if next.y > previous.y ? side > 0 : side < 0 { isInside.toggle() }
        }
        previous = next
      }
    }
    return isInside
  }

  /// The town whose point is nearest in proportion to its size; within its reach.
  func nearest(_ point: LocalPoint, _ kind: PlacesFormat.FeatureKind) -> Int? {
    let plane = LocalPlane(around: point)
    var best: (index: Int, ratio: Double)?
    let (column, row) = (Self.cell(point.x, Self.pointCell), Self.cell(point.y, Self.pointCell))
    // Cells are narrow in the north: as many as are as wide as two cells are high.
    let reach = min(Int32((2 * plane.scaleY / plane.scaleX).rounded(.up)), 60)
    for shifted in (column - reach)...(column + reach) {
      let x = Self.column(shifted)
      for y in (row - 2)...(row + 2) {
        for index in pointCells[Self.key(x, y)] ?? [] where all[index].kind == kind {
          let reach = kind == .quarter ? 800 : ObjectClass.reach(ofRank: all[index].rank)
          let ratio = plane.distance(point, all[index].point) / reach
          if ratio <= 1, ratio < best?.ratio ?? .infinity { best = (index, ratio) }
        }
      }
    }
    return best?.index
  }

  /// The town with this name that is nearest to a point, at most 40 km away.
  func named(_ name: String, near point: LocalPoint) -> Int? {
    let plane = LocalPlane(around: point)
    let near = (byName[Self.folded(name)] ?? []).filter { all[$0].kind == .town || all[$0].kind == .quarter }
      .map { (index: $0, distance: plane.distance(point, all[$0].point)) }
      .filter { $0.distance < 40_000 }
    return near.min { ($0.distance, $0.index) < ($1.distance, $1.index) }?.index
  }

  /// The town of a position by its tag, by the area around it, or by nearness.
  func town(at point: LocalPoint, tagged name: String?) -> Int? {
    if let name, let known = named(name, near: point), all[known].kind == .town { return known }
    return containing(point).first { all[$0].kind == .town } ?? nearest(point, .town)
  }

  func quarter(at point: LocalPoint) -> Int? {
    containing(point).first { all[$0].kind == .quarter } ?? nearest(point, .quarter)
  }

  func postcode(at point: LocalPoint) -> String? {
    containing(point).first { all[$0].kind == .postalArea }.map { all[$0].name }
  }
}
