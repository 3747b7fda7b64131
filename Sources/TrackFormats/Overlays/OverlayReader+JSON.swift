import Geodesy

/// GeoJSON: features, geometries and collections of them in any order, one after another.
extension OverlayReader {
  /// An open object, and what was read of it.
  private struct Frame {
    enum Role { case object, properties, list, other }

    let role: Role
    /// The shapes from here on belong to it.
    let firstShape: Int
    var type: String?
    var name: String?
    var coordinates: Positions?
  }

  private static let names: Set = ["name", "title", "label"]

  mutating func readJSON(_ bytes: [UInt8]) throws(OverlayError) {
    var tokenizer = JSONTokenizer()
    var frames: [Frame] = []
    var positions: Positions?
    var (offset, key) = (0, "")
    while let token = try Self.next(of: &tokenizer, in: bytes, at: &offset) {
      if positions != nil {
        positions?.consume(token)
        if positions?.isComplete == true {
          frames[frames.count - 1].coordinates = positions
          positions = nil
        }
        continue
      }
      switch token {
      case .key(let name): key = name
      case .listStart where frames.last?.role == .object && key == "coordinates":
        positions = Positions()
        positions?.consume(token)
      case .objectStart, .listStart:
        frames.append(Frame(role: Self.role(frames.last?.role, key, token == .objectStart), firstShape: shapes.count))
      case .objectEnd, .listEnd: if let frame = frames.popLast() { try end(frame) }
      case .text(let text):
        guard let last = frames.indices.last else { break }
        if frames[last].role == .object, key == "type" { frames[last].type = text }
        if frames[last].role == .properties, Self.names.contains(key), last > 0, frames[last - 1].name == nil {
          frames[last - 1].name = text
        }
      case .number, .flag, .null: break
      }
    }
  }

  /// The next token; `nil` at the end of a complete text.
  private static func next(
    of tokenizer: inout JSONTokenizer, in bytes: [UInt8], at offset: inout Int
  ) throws(OverlayError) -> JSONToken? {
    do throws(JSONProblem) {
      if let token = try tokenizer.next(in: bytes.span, at: &offset) { return token }
      try tokenizer.finish()
      return nil
    } catch {
      if case .cutOff = error.reason { throw .cutOff }
      throw .malformed(error.place)
    }
  }

  private static func role(_ parent: Frame.Role?, _ key: String, _ isObject: Bool) -> Frame.Role {
    switch (parent, isObject) {
    case (nil, true): .object
    case (nil, false): .list
    case (.object, true) where key == "properties": .properties
    case (.object, true) where key == "geometry": .object
    case (.object, false) where key == "features" || key == "geometries": .list
    case (.list, true): .object
    default: .other
    }
  }

  private mutating func end(_ frame: Frame) throws(OverlayError) {
    guard frame.role == .object else { return }
    if let positions = frame.coordinates {
      for geometry in positions.geometries(frame.type ?? "") { try add(geometry) }
    }
    guard let name = frame.name, !name.isEmpty else { return }
    for index in frame.firstShape..<shapes.count where shapes[index].name == nil { shapes[index].name = name }
  }

  /// The value of `coordinates`, of any type: the type may follow it.
  private struct Positions {
    private var depth = 0
    /// The depth of a position, its own list included.
    private var positionDepth: Int?
    private var numbers: [Double] = []
    private var isUnreadable = false
    private(set) var isComplete = false
    /// The rings of each polygon; a line and the points of a list are one ring, in one polygon.
    private var polygons: [[[Coordinate]]] = [[[]]]

    mutating func consume(_ token: JSONToken) {
      switch token {
      case .listStart:
        if let positionDepth, depth >= positionDepth { isUnreadable = true }
        depth += 1
      case .number(let number):
        if positionDepth == nil { positionDepth = depth }
        if depth != positionDepth { isUnreadable = true } else if numbers.count < 2 { numbers.append(number) }
      case .listEnd: end()
      case .objectStart, .objectEnd, .key, .text, .flag, .null: isUnreadable = true
      }
    }

    private mutating func end() {
      depth -= 1
      isComplete = depth == 0
      guard let positionDepth, !isUnreadable else { return }
      switch positionDepth - depth {
      case 1:
        guard numbers.count == 2, let coordinate = OverlayReader.coordinate(numbers[1], numbers[0]) else {
          return isUnreadable = true
        }
        numbers.removeAll(keepingCapacity: true)
        let (polygon, ring) = (polygons.count - 1, polygons[polygons.count - 1].count - 1)
        polygons[polygon][ring].append(coordinate)
      case 2: polygons[polygons.count - 1].append([])
      case 3: polygons.append([[]])
      case _: break
      }
    }

    /// The shapes of a type; `nil` in place of one that is not valid.
    func geometries(_ type: String) -> [OverlayShape.Geometry?] {
      let polygons = polygons.map { $0.filter { !$0.isEmpty } }.filter { !$0.isEmpty }
      let rings = polygons.flatMap(\.self)
      guard !isUnreadable else { return [nil] }
      switch (type, positionDepth) {
      case (_, nil): return []
      case ("Point", 1), ("MultiPoint", 2): return rings.flatMap(\.self).map { .point($0) }
      case ("LineString", 2), ("MultiLineString", 3): return rings.map { .line($0) }
      case ("Polygon", 3), ("MultiPolygon", 4): return polygons.map { OverlayReader.polygon($0) }
      case _: return [nil]
      }
    }
  }
}
