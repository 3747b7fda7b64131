/// Land, lakes and borders of the world (Natural Earth 1:10m), as in the file `world.json` of the package locationd-map.
public struct WorldOutline: Sendable {
  /// A line or a ring: x and y in turn, in units of 0.002°.
  struct Line: Sendable {
    var numbers: [Int32] = []
    var left = Int32.max, right = Int32.min, bottom = Int32.max, top = Int32.min

    mutating func append(_ x: Int32, _ y: Int32) {
      numbers.append(x)
      numbers.append(y)
      (left, right) = (min(left, x), max(right, x))
      (bottom, top) = (min(bottom, y), max(top, y))
    }
  }

  static let unitsPerDegree = 500.0
  /// A larger file is refused, bytes.
  public static let largestFile = 16 << 20

  /// Polygons: the outer ring, and the holes.
  private(set) var land: [[Line]] = []
  private(set) var lakes: [[Line]] = []
  private(set) var borders: [Line] = []

  /// Reads the file: `{"land": [POLYGON…], "lakes": [POLYGON…], "borders": [LINE…]}`, POLYGON = [RING…], LINE and RING = [x, y, dx, dy, …] in
  /// units of 0.002° (`Web/make-world`). `nil` if the bytes are something else.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count <= Self.largestFile else { return nil }
    var (depth, index) = (0, 0)
    var key: UInt8 = 0
    var polygon: [Line] = []
    var line = Line()
    var (x, y) = (Int32(0), Int32(0))
    var isSecond = false
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        // The members differ in their second letter: land, lakes, borders.
        guard depth == 0, index + 3 < bytes.count else { return nil }
        key = bytes[index + 3]
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { index += 1 }
      case UInt8(ascii: "["):
        depth += 1
        guard depth <= 4 else { return nil }
        (line, isSecond) = (Line(), false)
        (x, y) = (0, 0)
      case UInt8(ascii: "]"):
        guard depth > 0, !isSecond else { return nil }
        if !line.numbers.isEmpty {
          if key == UInt8(ascii: "r") { borders.append(line) } else { polygon.append(line) }
          line = Line()
        } else if depth == 2, !polygon.isEmpty {
          if key == UInt8(ascii: "n") { land.append(polygon) } else { lakes.append(polygon) }
          polygon = []
        }
        depth -= 1
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var number: Int32 = 0
        while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit <= 9 {
          number = number &* 10 &+ Int32(digit)
          guard number <= 1_000_000 else { return nil }
          index += 1
        }
        if isNegative { number = -number }
        if isSecond {
          y &+= number
          guard x.magnitude <= 100_000, y.magnitude <= 50_000 else { return nil }
          line.append(x, y)
        } else {
          x &+= number
        }
        isSecond.toggle()
        continue
      case _: break
      }
      index += 1
    }
    guard depth == 0, !land.isEmpty else { return nil }
  }
}
