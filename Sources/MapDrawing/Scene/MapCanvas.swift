/// What a map is drawn on: paths and texts in pixels. Custom overlays use it too.
public protocol MapCanvas: AnyObject {
  /// Fills a path; a point is inside if a ray from it crosses the path an odd number of times.
  func fill(_ path: MapPath, _ color: MapColor)
  func stroke(_ path: MapPath, _ stroke: MapStroke)
  /// Draws a line of text whose baseline begins at a point.
  func draw(_ text: MapText, at point: MapPoint)
  /// The size of a text, pixels.
  func size(of text: MapText) -> MapTextSize
}

/// Lines, rings and circles that are drawn at once.
public struct MapPath: Hashable, Sendable {
  /// A part of a path.
  public enum Part: Hashable, Sendable {
    case line([MapPoint])
    /// The last point is connected to the first.
    case ring([MapPoint])
    /// The radius is in pixels.
    case circle(MapPoint, radius: Double)
  }

  /// The parts, in the order in which they are drawn.
  public var parts: [Part]

  /// A path of its parts.
  public init(_ parts: [Part] = []) { self.parts = parts }

  var isEmpty: Bool { parts.isEmpty }

  /// A rectangle with round corners.
  static func box(_ box: MapBox, corner: Double) -> MapPath {
    let corners = [
      (MapPoint(x: box.right - corner, y: box.top + corner), -0.25),
      (MapPoint(x: box.right - corner, y: box.bottom - corner), 0),
      (MapPoint(x: box.left + corner, y: box.bottom - corner), 0.25),
      (MapPoint(x: box.left + corner, y: box.top + corner), 0.5),
    ]
    return MapPath([
      .ring(
        corners.flatMap { center, turn in
          (0...6).map { center + Circle.point(turn: turn + Double($0) / 24, radius: corner) }
        })
    ])
  }
}

/// How a line is drawn.
public struct MapStroke: Hashable, Sendable {
  /// The color of the line.
  public var color: MapColor
  /// Pixels.
  public var width: Double
  /// The lengths of dashes and gaps, pixels; empty: no gaps.
  public var dashes: [Double]

  /// A line of this look.
  public init(_ color: MapColor, width: Double, dashes: [Double] = []) {
    (self.color, self.width, self.dashes) = (color, width, dashes)
  }
}

/// A line of text.
public struct MapText: Hashable, Sendable {
  /// The text, without line breaks.
  public var string: String
  /// The size of the font, pixels.
  public var size: Double
  /// Whether the letters are bold.
  public var isBold: Bool
  /// The color of the letters.
  public var color: MapColor
  /// The color around the letters; `nil`: none.
  public var halo: MapColor?

  /// A text of this look.
  public init(_ string: String, size: Double = 12, isBold: Bool = false, color: MapColor, halo: MapColor? = nil) {
    (self.string, self.size, self.isBold, self.color, self.halo) = (string, size, isBold, color, halo)
  }

  /// The most characters of a text of others; the rest is replaced by an ellipsis.
  static let longest = 40

  /// A text without control characters and marks that change the direction of what follows, and not too long for a map.
  package static func sanitized(_ text: String) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars.prefix(4 * longest) {
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
        if scalar == "\t" || scalar == "\n" { result += " " }
      case _: result.unicodeScalars.append(scalar)
      }
    }
    count = result.count
    return count > longest ? result.prefix(longest - 1) + "…" : result
  }
}

/// The size of a line of text, pixels.
public struct MapTextSize: Hashable, Sendable {
  /// From the beginning to the end of the line.
  public var width: Double
  /// Above and below the baseline.
  public var ascent, descent: Double

  /// A size.
  public init(width: Double, ascent: Double, descent: Double) {
    (self.width, self.ascent, self.descent) = (width, ascent, descent)
  }
}
