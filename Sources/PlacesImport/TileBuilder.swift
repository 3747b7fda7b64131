internal import CMapTiles
import Glibc
import LinuxIO
import PlacesCore

/// Collects what is drawn on the map, and makes vector tiles of it. What it collects is in files, not in memory.
///
/// Safe: the pointer is valid as long as this object lives.
@safe final class TileBuilder {
  private let pointer: OpaquePointer

  /// - Parameters:
  ///   - features, entries: descriptors of empty files.
  ///   - sourceSize: of the extract, bytes; the work is in proportion to it.
  init(features: Int32, entries: Int32, sourceSize: Int) throws(ImportError) {
    // A real extract has about one entry for 20 bytes.
    let most = UInt64(1 << 20) + UInt64(clamping: sourceSize / 4)
    let names = unsafe DrawnObject.Layer.allCases.map { unsafe UnsafePointer(strdup($0.name)) } + [nil]
    defer { unsafe names.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
    guard let pointer = unsafe cmaptiles_create(features, entries, most, names) else { throw .noMemory }
    unsafe self.pointer = pointer
  }

  deinit { unsafe cmaptiles_free(pointer) }

  func receive(_ object: ExtractObject) throws(ImportError) {
    guard let drawn = DrawnObject.of(object) else { return }
    if drawn.name != nil, drawn.nameZoom > drawn.leastZoom {
      try add(drawn, object, zooms: drawn.leastZoom...(drawn.nameZoom - 1), name: nil)
      try add(drawn, object, zooms: drawn.nameZoom...Self.zooms.upperBound, name: drawn.name)
    } else {
      try add(drawn, object, zooms: drawn.leastZoom...Self.zooms.upperBound, name: drawn.name)
    }
    if drawn.layer == .water, let name = DrawnObject.waterName(object), let box = TownIndex.Box(object.points) {
      // A lake of 200 m is named at the last zoom.
      guard box.radius > 100 else { return }
      let zoom: UInt8 = box.radius > 3000 ? 9 : box.radius > 800 ? 11 : box.radius > 300 ? 13 : 14
      let label = DrawnObject(layer: .label, shape: .point, kind: "water", leastZoom: zoom, name: name)
      var middle = object
      middle.points = [box.center]
      try add(label, middle, zooms: zoom...Self.zooms.upperBound, name: name)
    }
  }

  /// The zooms of the tiles.
  static let zooms = UInt8(CMAPTILES_LEAST_ZOOM)...UInt8(CMAPTILES_MOST_ZOOM)

  private func add(
    _ drawn: DrawnObject, _ object: ExtractObject, zooms: ClosedRange<UInt8>, name: String?
  ) throws(ImportError) {
    let shape: UInt32 =
      switch drawn.shape {
      case .point: CMAPTILES_POINT.rawValue
      case .line: CMAPTILES_LINE.rawValue
      case .polygon: CMAPTILES_POLYGON.rawValue
      }
    let rings: [Int32] =
      if drawn.shape != .polygon {
        []
      } else if object.kind == .area {
        zip(object.rings, object.areHoles).map { Int32(clamping: $1 ? -$0 : $0) }
      } else {
        [Int32(clamping: object.points.count)]
      }
    let coordinates = object.points.flatMap { [$0.x, $0.y] }
    let status = unsafe drawn.kind.withCString { kind in
      unsafe (name ?? "").withCString { name in
        unsafe coordinates.withUnsafeBufferPointer { coordinates in
          unsafe rings.withUnsafeBufferPointer { rings in
            var feature = unsafe cmaptiles_feature(
              layer: drawn.layer.rawValue, geometry: UInt8(shape), least_zoom: zooms.lowerBound,
              most_zoom: zooms.upperBound, rank: drawn.rank, kind: kind, name: name,
              coordinates: coordinates.baseAddress, point_count: UInt32(clamping: coordinates.count / 2),
              rings: rings.baseAddress, ring_count: UInt32(clamping: rings.count))
            return unsafe cmaptiles_add(pointer, &feature)
          }
        }
      }
    }
    try Self.check(status)
  }

  /// The area of everything, degrees: west, south, east, north; `nil` if there is nothing.
  var bounds: [Double]? {
    var bounds = [0.0, 0, 0, 0]
    return unsafe cmaptiles_bounds(pointer, &bounds) == 0 ? nil : bounds
  }

  /// A tile: y counts from the north.
  struct Tile {
    var zoom, x, y: Int64
    /// Compressed as gzip.
    var bytes: [UInt8]
  }

  /// What the callbacks of C refer to.
  private final class Context {
    let receive: (Tile) throws(ImportError) -> Void
    let progress: (Double) -> Bool
    var error: ImportError?

    init(receive: @escaping (Tile) throws(ImportError) -> Void, progress: @escaping (Double) -> Bool) {
      (self.receive, self.progress) = (receive, progress)
    }
  }

  /// Makes all tiles.
  func finish(
    receive: @escaping (Tile) throws(ImportError) -> Void, progress: @escaping (Double) -> Bool
  ) throws(ImportError) {
    let context = Context(receive: receive, progress: progress)
    let status = unsafe cmaptiles_finish(
      pointer,
      { pointer, zoom, x, y, bytes, size in
        guard let pointer = unsafe pointer else { return 1 }
        let context = unsafe Unmanaged<Context>.fromOpaque(pointer).takeUnretainedValue()
        do throws(ImportError) {
          let bytes = unsafe Array(UnsafeBufferPointer(start: bytes, count: size))
          try context.receive(Tile(zoom: Int64(zoom), x: Int64(x), y: Int64(y), bytes: bytes))
          return 0
        } catch {
          context.error = error
          return 1
        }
      },
      { pointer, done, total in
        guard let pointer = unsafe pointer else { return 1 }
        let context = unsafe Unmanaged<Context>.fromOpaque(pointer).takeUnretainedValue()
        return context.progress(total > 0 ? Double(done) / Double(total) : 1) ? 0 : 1
      }, Unmanaged.passUnretained(context).toOpaque())
    if let error = context.error { throw error }
    try Self.check(status)
  }

  private static func check(_ status: Int32) throws(ImportError) {
    switch status {
    case 0: break
    case ECANCELED: throw .cancelled
    case ENOMEM: throw .noMemory
    default: throw .system(SystemError(operation: "write", errno: status).description)
    }
  }
}
