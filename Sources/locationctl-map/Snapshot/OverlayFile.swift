import Geodesy
import LinuxIO
import LocationPolicy
import MapDrawing
import MapServing
import TrackFormats

/// A file that is laid over the map: its track with times, as `log import` reads it, and its other shapes.
struct OverlayFile {
  private(set) var track = TrackPicture()
  private(set) var elements: [MapElement] = []
  let name: String

  /// Shapes of a file are not colored by a value; each file has a color of its own, without red and green side by side.
  private static func color(_ number: Int, _ appearance: MapAppearance) -> MapColor {
    let light: [UInt32] = [0xB3367A, 0x0F766E, 0xB45309, 0x1D4ED8]
    let dark: [UInt32] = [0xF687B3, 0x4FD1C5, 0xF6AD55, 0x63B3ED]
    return MapColor((appearance == .light ? light : dark)[number % 4])
  }

  struct Problem: Error {
    /// Why the file cannot be used, without its name.
    let reason: String
  }

  /// - Parameter number: how many overlays were read before.
  init(path: String, number: Int, _ appearance: MapAppearance) throws(Problem) {
    name = path.split(separator: "/").last.map(String.init) ?? path
    let bytes = path == "-" ? try Self.standardInput() : try Self.content(of: path)
    readTrack(bytes)
    try readShapes(bytes, Self.color(number, appearance))
    guard track.count > 0 || !elements.isEmpty else {
      throw Problem(reason: "there is nothing in it that can be drawn")
    }
  }

  private static func content(of path: String) throws(Problem) -> [UInt8] {
    do throws(InputFileError) {
      return try InputFile.content(of: path, maximumSize: OverlayReader.largestFile)
    } catch {
      switch error {
      case .doesNotExist: throw Problem(reason: "there is no such file")
      case .isNotARegularFile: throw Problem(reason: "it is not a file")
      case .system(let error): throw Problem(reason: ErrorDescription.of(error.errno))
      }
    }
  }

  private static func standardInput() throws(Problem) -> [UInt8] {
    do throws(SystemError) {
      return try StandardInput.read(maximumSize: OverlayReader.largestFile)
    } catch {
      throw Problem(reason: ErrorDescription.of(error.errno))
    }
  }

  /// Reads the positions with times. A file without them is no error: it may have other shapes.
  private mutating func readTrack(_ bytes: [UInt8]) {
    var reader = TrackImport()
    var found = TrackPicture()
    do throws(TrackImportError) {
      for item in try reader.receive(bytes.span) + reader.finish() {
        switch item {
        case .interruption: found.append(.interruption(.gap))
        case .fix(let fix): found.append(.fix(fix))
        case .visit: break
        }
      }
    } catch {
      // `OverlayReader` reports what is wrong with a file of shapes.
      return
    }
    track = found
  }

  private mutating func readShapes(_ bytes: [UInt8], _ color: MapColor) throws(Problem) {
    let reader: OverlayReader
    do throws(OverlayError) {
      reader = try OverlayReader(bytes)
    } catch {
      // NMEA and tables have positions with times only.
      guard track.count == 0 else { return }
      throw Problem(reason: Self.reason(error))
    }
    let style = MapShapeStyle(stroke: color, fill: color.opacity(0.18))
    for shape in reader.shapes where track.count == 0 || !shape.isTrack {
      switch shape.geometry {
      case .point(let point):
        elements.append(.annotation(MapAnnotation(at: MapCoordinate(point), title: shape.name, color: color)))
      case .line(let line):
        // The line of a track with times is drawn with its colors.
        guard track.count == 0 || line.count < track.count / 2 else { continue }
        elements.append(
          .polyline(MapPolyline(line.map { MapCoordinate($0) }, color: color, lineWidth: 3, title: shape.name)))
      case .polygon(let rings):
        let rings = rings.map { $0.map { MapCoordinate($0) } }
        elements.append(
          .polygon(MapPolygon(rings[0], interior: Array(rings.dropFirst()), title: shape.name, style: style)))
      }
    }
  }

  private static func reason(_ error: OverlayError) -> String {
    switch error {
    case .unknownFormat: "it is neither GPX nor KML nor GeoJSON"
    case .packed: "it is compressed: extract its content first"
    case .malformed(let place): "line \(place.line) is not valid XML or JSON"
    case .cutOff: "it is truncated"
    case .otherXML: "XML with a document type, or not in UTF-8, is not read"
    case .otherRoot(let root): "its root element is '\(root)', and not 'gpx' or 'kml'"
    case .tooLarge: "it has more than \(OverlayReader.mostPositions) positions or \(OverlayReader.mostShapes) shapes"
    }
  }
}
