package import Geodesy
package import Regions

/// A region as a file has it: there may be none such.
package struct FoundRegion: Hashable, Sendable {
  package enum Border: Hashable, Sendable {
    case circle(center: Coordinate, radius: Meters)
    /// The last corner is not the first again. A file's sides are straight in degrees, ours are geodesics: a side of 10 km along
    /// the 50th parallel lies 2 m beside, one of 100 km 230 m (L² tan φ / 8R).
    case polygon([Coordinate])
  }

  /// As the file has it: another may have the same.
  package var name: String
  package let border: Border
  /// Of which feature of the file it is, from 1.
  package let feature: Int
  /// The line on which that begins, from 1.
  package let line: Int

  package init(name: String, border: Border, feature: Int, line: Int) {
    self.name = name
    self.border = border
    self.feature = feature
    self.line = line
  }

  /// The region itself, where there can be one such.
  package func region() throws(RegionError) -> Region {
    switch border {
    case .circle(let center, let radius):
      try Region(identifier: name, shape: .circle(CircleShape(center: center, radius: radius)))
    case .polygon(let corners): try Region(identifier: name, shape: .polygon(PolygonShape(corners: corners)))
    }
  }
}
