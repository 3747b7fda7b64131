/// A tile of the base layer: streets, waters, land use and buildings (Mapbox Vector Tile Specification 2.1). What is not valid is left out.
package struct VectorTile: Hashable, Sendable {
  /// The longest content of a tile, bytes.
  package static let largest = 16 << 20
  /// Points of one tile; what is more is left out.
  private static let mostPoints = 1 << 20

  package var zoom, column, row: Int
  private let bytes: [UInt8]

  /// - Parameter bytes: the content, not compressed.
  package init(zoom: Int, column: Int, row: Int, bytes: [UInt8]) {
    (self.zoom, self.column, self.row) = (zoom, column, row)
    self.bytes = bytes.count <= Self.largest ? bytes : []
  }

  /// The numbers of the specification, section 4.3.4.
  package enum Shape: UInt64, Hashable, Sendable {
    case point = 1
    case line = 2
    case polygon = 3
  }

  /// An object of the tile.
  package struct Feature {
    package var layer: String
    package var shape: Shape
    /// The values of `class`, and of `name:latin` or `name`.
    package var kind, name: String?
    package var rank: UInt64
    /// Points, lines or rings; x to the right and y down, 0…1 inside the tile.
    package var parts: [[MapPoint]]
  }

  /// Calls `body` with each feature of the layers that `isWanted` accepts.
  package func forEach(_ isWanted: (String) -> Bool, _ body: (Feature) -> Void) {
    var reader = FieldReader(bytes, 0..<bytes.count)
    var points = 0
    while let field = reader.next() {
      guard field.number == 3, case .bytes(let range) = field.value else { continue }
      Layer(bytes, range)?.forEach(isWanted, &points, most: Self.mostPoints, body)
    }
  }

  /// The parts of the message Layer.
  private struct Layer {
    let bytes: [UInt8]
    var name = ""
    var extent = 4096.0
    var keys: [String] = []
    var values: [Range<Int>] = []
    var features: [Range<Int>] = []

    init?(_ bytes: [UInt8], _ range: Range<Int>) {
      self.bytes = bytes
      var reader = FieldReader(bytes, range)
      while let field = reader.next() {
        switch (field.number, field.value) {
        case (1, .bytes(let range)): name = String(decoding: bytes[range], as: UTF8.self)
        case (2, .bytes(let range)): features.append(range)
        case (3, .bytes(let range)): keys.append(String(decoding: bytes[range], as: UTF8.self))
        case (4, .bytes(let range)): values.append(range)
        case (5, .number(let number)): extent = Double(number)
        default: break
        }
      }
      guard extent > 0 else { return nil }
    }

    func forEach(_ isWanted: (String) -> Bool, _ count: inout Int, most: Int, _ body: (Feature) -> Void) {
      guard isWanted(name) else { return }
      for range in features where count < most {
        var feature = Feature(layer: name, shape: .point, rank: 0, parts: [])
        var tags: Range<Int>?
        var geometry: Range<Int>?
        var shape: Shape?
        var reader = FieldReader(bytes, range)
        while let field = reader.next() {
          switch (field.number, field.value) {
          case (2, .bytes(let range)): tags = range
          case (3, .number(let number)): shape = Shape(rawValue: number)
          case (4, .bytes(let range)): geometry = range
          default: break
          }
        }
        guard let shape, let geometry else { continue }
        feature.shape = shape
        if let tags { read(tags, to: &feature) }
        feature.parts = parts(geometry, shape, &count, most: most)
        if !feature.parts.isEmpty { body(feature) }
      }
    }

    private func read(_ tags: Range<Int>, to feature: inout Feature) {
      var reader = FieldReader(bytes, tags)
      while let key = reader.varint(), let value = reader.varint() {
        guard key < keys.count, value < values.count else { continue }
        switch keys[Int(key)] {
        case "class": feature.kind = text(Int(value))
        case "name:latin": feature.name = text(Int(value)) ?? feature.name
        case "name": feature.name = feature.name ?? text(Int(value))
        case "rank": feature.rank = number(Int(value))
        default: break
        }
      }
    }

    private func text(_ index: Int) -> String? {
      var reader = FieldReader(bytes, values[index])
      guard let field = reader.next(), field.number == 1, case .bytes(let range) = field.value else { return nil }
      return String(decoding: bytes[range], as: UTF8.self)
    }

    private func number(_ index: Int) -> UInt64 {
      var reader = FieldReader(bytes, values[index])
      guard let field = reader.next(), case .number(let number) = field.value else { return 0 }
      return number
    }

    /// Section 4.3: commands with a count, and the differences from one point to the next.
    private func parts(_ range: Range<Int>, _ shape: Shape, _ count: inout Int, most: Int) -> [[MapPoint]] {
      var reader = FieldReader(bytes, range)
      var (x, y): (Int64, Int64) = (0, 0)
      var parts: [[MapPoint]] = []
      func zigzag(_ number: UInt64) -> Int64 { Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1) }
      while let command = reader.varint(), count < most {
        switch command & 7 {
        case 1, 2:
          for step in 0..<(command >> 3) {
            guard let dx = reader.varint(), let dy = reader.varint(), count < most else { return parts }
            (x, y) = (x &+ zigzag(dx), y &+ zigzag(dy))
            count += 1
            if command & 7 == 1, step == 0 || shape != .point { parts.append([]) }
            if parts.isEmpty { return [] }
            parts[parts.count - 1].append(MapPoint(x: Double(x) / extent, y: Double(y) / extent))
          }
        case 7: break
        default: return parts
        }
      }
      return parts
    }
  }
}

/// The fields of a message of Protocol Buffers (protobuf.dev, "Encoding"): ends at the first one that is not valid.
private struct FieldReader {
  enum Value {
    case number(UInt64)
    case bytes(Range<Int>)
    /// Four or eight bytes, which are not used here.
    case fixed
  }

  private let bytes: [UInt8]
  private var at: Int
  private let end: Int

  init(_ bytes: [UInt8], _ range: Range<Int>) { (self.bytes, at, end) = (bytes, range.lowerBound, range.upperBound) }

  mutating func next() -> (number: UInt64, value: Value)? {
    guard let tag = varint() else { return nil }
    let value: Value
    switch tag & 7 {
    case 0:
      guard let number = varint() else { return nil }
      value = .number(number)
    case 2:
      guard let count = varint(), count <= UInt64(end - at) else { return nil }
      value = .bytes(at..<(at + Int(count)))
      at += Int(count)
    case 1, 5:
      let size = tag & 7 == 1 ? 8 : 4
      guard end - at >= size else { return nil }
      at += size
      value = .fixed
    default: return nil
    }
    return (tag >> 3, value)
  }

  mutating func varint() -> UInt64? {
    var (result, shift): (UInt64, UInt64) = (0, 0)
    while at < end, shift < 64 {
      let byte = bytes[at]
      at += 1
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
    }
    return nil
  }
}
