import MapDrawing

/// A canvas that keeps what is drawn. Its letters are 0.6 of their size wide.
final class CanvasRecorder: MapCanvas {
  private(set) var fills: [(path: MapPath, color: MapColor)] = []
  private(set) var strokes: [(path: MapPath, stroke: MapStroke)] = []
  private(set) var texts: [(text: MapText, point: MapPoint)] = []

  func fill(_ path: MapPath, _ color: MapColor) { fills.append((path, color)) }
  func stroke(_ path: MapPath, _ stroke: MapStroke) { strokes.append((path, stroke)) }
  func draw(_ text: MapText, at point: MapPoint) { texts.append((text, point)) }

  func size(of text: MapText) -> MapTextSize {
    MapTextSize(
      width: 0.6 * text.size * Double(text.string.count), ascent: 0.9 * text.size, descent: 0.25 * text.size)
  }

  init(_ scene: MapScene) { ScenePainter.paint(scene, on: self) }

  /// All points of all paths.
  var points: [MapPoint] {
    (fills.map(\.path) + strokes.map(\.path)).flatMap(\.parts).flatMap { part -> [MapPoint] in
      switch part {
      case .line(let points), .ring(let points): points
      case .circle(let center, _): [center]
      }
    }
  }

  /// The rectangles of the texts: left, top, right, bottom.
  var boxes: [(text: String, left: Double, top: Double, right: Double, bottom: Double)] {
    texts.map { text, point in
      let size = size(of: text)
      return (text.string, point.x, point.y - size.ascent, point.x + size.width, point.y + size.descent)
    }
  }
}
