/// A color in sRGB, each part 0...1; `alpha` 1 is opaque.
public struct MapColor: Hashable, Sendable {
  public var red, green, blue, alpha: Double

  /// A color of its parts.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// `0xRRGGBB`.
  public init(_ rgb: UInt32, alpha: Double = 1) {
    self.init(
      red: Double(rgb >> 16 & 0xFF) / 255, green: Double(rgb >> 8 & 0xFF) / 255, blue: Double(rgb & 0xFF) / 255,
      alpha: alpha)
  }

  /// The same color with another opacity.
  public func opacity(_ alpha: Double) -> MapColor { MapColor(red: red, green: green, blue: blue, alpha: alpha) }
}

/// The look of a map.
public enum MapAppearance: String, CaseIterable, Hashable, Sendable {
  case light, dark

  package var colors: MapColors { self == .light ? .light : .dark }
}

/// The colors of one look; those of the page (`Web/basemap.js`).
package struct MapColors: Hashable, Sendable {
  let water, land, coast, border, grid: MapColor
  let town, dot, halo: MapColor
  let panel, panelEdge, soft: MapColor
  /// Text.
  package let ink: MapColor
  /// The rim of lines and dots.
  let rim: MapColor
  package let position, region, area, line, suspect: MapColor

  static let light = MapColors(
    water: MapColor(0xC5DCEC), land: MapColor(0xF6F3EC), coast: MapColor(0x9DB8C9), border: MapColor(0xA794AD),
    grid: MapColor(0x6B7F8F, alpha: 0.22), town: MapColor(0x2F3B47), dot: MapColor(0x7B8794),
    halo: MapColor(0xFFFFFF, alpha: 0.85), panel: MapColor(0xFFFFFF, alpha: 0.9),
    panelEdge: MapColor(0x16202B, alpha: 0.14), soft: MapColor(0x52606D), ink: MapColor(0x16202B),
    rim: MapColor(0xFFFFFF), position: MapColor(0x1A6DFF), region: MapColor(0x7A3FC4), area: MapColor(0x0F766E),
    line: MapColor(0xB3367A), suspect: MapColor(0xC2261D))

  static let dark = MapColors(
    water: MapColor(0x14212E), land: MapColor(0x26303A), coast: MapColor(0x3F566A), border: MapColor(0x75658A),
    grid: MapColor(0xA9BAC8, alpha: 0.15), town: MapColor(0xD5DEE6), dot: MapColor(0x8A97A3),
    halo: MapColor(0x161D25, alpha: 0.85), panel: MapColor(0x161D25, alpha: 0.9),
    panelEdge: MapColor(0xFFFFFF, alpha: 0.16), soft: MapColor(0xA9B5C0), ink: MapColor(0xEEF3F7),
    rim: MapColor(0x0E141A), position: MapColor(0x5B9BFF), region: MapColor(0xBB94F2), area: MapColor(0x4FD1C5),
    line: MapColor(0xF687B3), suspect: MapColor(0xFF6B5E))
}
