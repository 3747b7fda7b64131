/// The house numbers of a street, packed in one value of an imported file.
///
/// ```
/// count, then the origin: x, y (signed)
/// each number: length, text, then x, y (signed, from the one before), then 1 if it is interpolated
/// ```
package enum NumberList {
  package struct Entry: Hashable, Sendable {
    package var number: String
    package var point: LocalPoint
    package var isInterpolated: Bool

    package init(number: String, point: LocalPoint, isInterpolated: Bool = false) {
      self.number = number
      self.point = point
      self.isInterpolated = isInterpolated
    }
  }

  /// The most numbers in a list: the longest street of the world has fewer.
  package static let mostEntries = 20_000

  package static func encode(_ entries: [Entry]) -> [UInt8] {
    var writer = PackedWriter()
    writer.put(min(entries.count, mostEntries))
    var last = entries.first?.point ?? LocalPoint(x: 0, y: 0)
    writer.put(signed: Int(last.x))
    writer.put(signed: Int(last.y))
    for entry in entries.prefix(mostEntries) {
      writer.put(entry.number)
      writer.put(signed: Int(entry.point.x) - Int(last.x))
      writer.put(signed: Int(entry.point.y) - Int(last.y))
      writer.put(byte: entry.isInterpolated ? 1 : 0)
      last = entry.point
    }
    return writer.bytes
  }

  /// Calls `body` with each number until it returns `false`; returns `false` if the list is damaged.
  package static func read(_ bytes: Span<UInt8>, _ body: (Entry) -> Bool) -> Bool {
    var reader = PackedReader(bytes)
    let count = reader.number()
    guard count <= mostEntries else { return false }
    var (x, y) = (reader.signed(), reader.signed())
    for _ in 0..<count {
      let range = reader.textRange()
      x &+= reader.signed()
      y &+= reader.signed()
      let isInterpolated = reader.byte() == 1
      guard !reader.isDamaged, let point = LocalPoint(checkingX: x, y: y) else { return false }
      guard body(Entry(number: reader.text(in: range), point: point, isInterpolated: isInterpolated)) else {
        return true
      }
    }
    return true
  }
}

/// The outline of an area, packed in one value of an imported file.
///
/// ```
/// number of rings; each ring: number of points, then x, y (signed, from the point before)
/// ```
package enum AreaOutline {
  /// The most points of all rings.
  package static let mostPoints = 1 << 20

  package static func encode(_ rings: [[LocalPoint]]) -> [UInt8] {
    var writer = PackedWriter()
    writer.put(rings.count)
    var (x, y) = (0, 0)
    for ring in rings {
      writer.put(ring.count)
      for point in ring {
        writer.put(signed: Int(point.x) - x)
        writer.put(signed: Int(point.y) - y)
        (x, y) = (Int(point.x), Int(point.y))
      }
    }
    return writer.bytes
  }

  /// The ring with the most points, which is the outer one of an area in one piece; `nil` if the outline is damaged.
  package static func longestRing(_ bytes: Span<UInt8>) -> [LocalPoint]? {
    var reader = PackedReader(bytes)
    var longest: [LocalPoint] = []
    var (x, y, total) = (0, 0, 0)
    let rings = reader.number()
    guard rings <= mostPoints else { return nil }
    for _ in 0..<rings {
      let count = reader.number()
      total &+= count
      guard !reader.isDamaged, count > 0, total <= mostPoints else { return nil }
      var ring: [LocalPoint] = []
      for _ in 0..<count {
        x &+= reader.signed()
        y &+= reader.signed()
        guard !reader.isDamaged, let point = LocalPoint(checkingX: x, y: y) else { return nil }
        ring.append(point)
      }
      if ring.count > longest.count { longest = ring }
    }
    return longest
  }

  /// Whether a point is inside an odd number of rings; `nil` if the outline is damaged.
  package static func contains(_ point: LocalPoint, _ bytes: Span<UInt8>) -> Bool? {
    var reader = PackedReader(bytes)
    let rings = reader.number()
    guard rings <= mostPoints else { return nil }
    var isInside = false
    var (x, y) = (0, 0)
    var total = 0
    for _ in 0..<rings {
      let count = reader.number()
      total &+= count
      guard !reader.isDamaged, count > 0, total <= mostPoints else { return nil }
      var (firstX, firstY, lastX, lastY) = (0, 0, 0, 0)
      for index in 0...count {
        if index < count {
          x &+= reader.signed()
          y &+= reader.signed()
          guard !reader.isDamaged, LocalPoint(checkingX: x, y: y) != nil else { return nil }
        }
        let (nextX, nextY) = index < count ? (x - Int(point.x), y - Int(point.y)) : (firstX, firstY)
        if index == 0 {
          (firstX, firstY) = (nextX, nextY)
        } else if (lastY > 0) != (nextY > 0) {
          // Exact in 64 bits: both factors have 30 bits at most.
          let side = lastX * (nextY - lastY) - lastY * (nextX - lastX)
          if nextY > lastY ? side > 0 : side < 0 { isInside.toggle() }
        }
        (lastX, lastY) = (nextX, nextY)
      }
    }
    return reader.isDamaged ? nil : isInside
  }
}

extension LocalPoint {
  /// `nil` outside the globe.
  package init?(checkingX x: Int, y: Int) {
    guard (-180_000_000...180_000_000).contains(x), (-90_000_000...90_000_000).contains(y) else { return nil }
    self.init(x: Int32(x), y: Int32(y))
  }
}
