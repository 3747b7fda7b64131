import MapDrawing
import TrackFormats

/// A file that is laid over a map, and a file of the world's outline: whatever the bytes are, reading ends, and each shape that is found is
/// one that can be drawn.
func checkOverlay(_ input: [UInt8]) {
  _ = WorldOutline(input.span)
  guard let reader = try? OverlayReader(input) else { return }
  precondition(reader.shapes.count <= OverlayReader.mostShapes)
  for shape in reader.shapes {
    switch shape.geometry {
    case .point: break
    case .line(let line): precondition(!line.isEmpty, "an empty line")
    case .polygon(let rings): precondition(!rings.isEmpty && rings.allSatisfy { $0.count > 2 }, "not an area")
    }
  }
}
