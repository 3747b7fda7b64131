/// Where names go: beside what they name, inside the picture, over no other name, and over as few lines as possible.
struct LabelLayout {
  private static let cell = 6.0
  private let frame: MapBox
  private var taken: [MapBox] = []
  /// The cells through which lines go.
  private var busy: [Bool]
  private let columns, rows: Int

  init(_ frame: MapBox) {
    self.frame = frame
    columns = Int(frame.width / Self.cell) + 1
    rows = Int(frame.height / Self.cell) + 1
    busy = [Bool](repeating: false, count: columns * rows)
  }

  /// Keeps names out of a rectangle.
  mutating func block(_ box: MapBox) { taken.append(box) }

  /// Notes where a line is.
  mutating func mark(_ points: [MapPoint]) {
    guard var last = points.first else { return }
    let near = frame.grown(by: 1)
    for part in PixelShapes.clipped(points, to: near) {
      last = part.first ?? last
      for point in part {
        let steps = min(Int(max((point.x - last.x).magnitude, (point.y - last.y).magnitude) / Self.cell) + 1, 4096)
        for step in 1...steps {
          let share = Double(step) / Double(steps)
          set(MapPoint(x: last.x + (point.x - last.x) * share, y: last.y + (point.y - last.y) * share))
        }
        last = point
      }
    }
  }

  private mutating func set(_ point: MapPoint) {
    let (column, row) = (Int((point.x / Self.cell).rounded(.down)), Int((point.y / Self.cell).rounded(.down)))
    guard (0..<columns).contains(column), (0..<rows).contains(row) else { return }
    busy[row * columns + column] = true
  }

  /// The share of a rectangle's cells through which lines go.
  private func business(_ box: MapBox) -> Double {
    let left = max(Int(box.left / Self.cell), 0)
    let right = min(Int(box.right / Self.cell), columns - 1)
    let top = max(Int(box.top / Self.cell), 0)
    let bottom = min(Int(box.bottom / Self.cell), rows - 1)
    guard left <= right, top <= bottom else { return 0 }
    var count = 0
    for row in top...bottom { for column in left...right where busy[row * columns + column] { count += 1 } }
    return Double(count) / Double((right - left + 1) * (bottom - top + 1))
  }

  /// Takes the best of the rectangles, of which earlier ones are preferred; `nil` if none is free.
  ///
  /// - Parameter most: the greatest share of a rectangle that lines may cross.
  mutating func place(_ candidates: [MapBox], crossing most: Double = 1) -> MapBox? {
    let inside = frame.grown(by: -3)
    var best: (cost: Double, box: MapBox)?
    for (order, box) in candidates.enumerated() where inside.contains(box) && !taken.contains(where: { $0.meets(box) })
    {
      let crossed = business(box)
      let cost = crossed + 0.04 * Double(order)
      if crossed <= most, cost < best?.cost ?? .infinity { best = (cost, box) }
    }
    if let best { taken.append(best.box.grown(by: 2)) }
    return best?.box
  }
}
