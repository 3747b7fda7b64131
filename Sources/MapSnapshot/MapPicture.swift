internal import CCairo
@_exported public import MapDrawing

/// The picture of a scene.
///
/// ```swift
/// var scene = MapScene(width: 512, height: 512)
/// let home = MapCoordinate(latitude: 47.14, longitude: 9.52)
/// scene.elements = [.circle(MapCircle(center: home, radius: 200, title: "Home")), .annotation(MapAnnotation(at: home))]
/// let bytes = try MapPicture(scene).png()
/// ```
public struct MapPicture: Sendable {
  private let scene: MapScene
  private let scale: Int

  /// - Parameter scale: pixels of a PNG for each pixel of the scene, 1...4, for screens with small pixels.
  public init(_ scene: MapScene, scale: Int = 1) { (self.scene, self.scale) = (scene, scale) }

  /// A PNG of 32 bits for each pixel.
  public func png() throws(MapPictureError) -> [UInt8] { try image().png() }

  /// An SVG 1.1 document in UTF-8. Its letters are shapes, so that it looks the same without the fonts of this machine.
  public func svg() throws(MapPictureError) -> [UInt8] {
    let surface = try CairoSurface(svgWidth: scene.width, height: scene.height)
    try draw(on: surface, scale: 1)
    return try surface.svg()
  }

  /// The pixels from left to right and top to bottom: blue, green, red and alpha of each.
  package func pixels() throws(MapPictureError) -> (width: Int, height: Int, bytes: [UInt8]) {
    let surface = try image()
    return (scene.width * scale, scene.height * scale, surface.pixels())
  }

  private func image() throws(MapPictureError) -> CairoSurface {
    let most = MapScene.possibleSizes.upperBound
    guard (1...4).contains(scale), scene.width * scale <= most, scene.height * scale <= most else {
      throw MapPictureError(code: .tooLarge)
    }
    let surface = try CairoSurface(width: scene.width * scale, height: scene.height * scale)
    try draw(on: surface, scale: Double(scale))
    return surface
  }

  private func draw(on surface: borrowing CairoSurface, scale: Double) throws(MapPictureError) {
    let canvas = CairoCanvas(surface, scale: scale)
    ScenePainter.paint(scene, on: canvas)
    if let failure = canvas.failure { throw failure }
  }
}

/// Why there is no picture.
public struct MapPictureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public struct Code: Hashable, Sendable {
    fileprivate let number: Int

    /// Width or height, multiplied by the scale, is above 4096 pixels, or the scale is not 1...4.
    public static let tooLarge = Code(number: 1)
    /// There is not enough memory.
    public static let noMemory = Code(number: 2)
    /// cairo could not draw; `description` has its reason.
    public static let failed = Code(number: 3)
  }

  /// What is wrong.
  public let code: Code
  private let status: Int

  init(code: Code) { (self.code, status) = (code, 0) }

  package static let noMemory = MapPictureError(code: .noMemory)

  init(_ status: cairo_status_t) {
    code = status == CAIRO_STATUS_NO_MEMORY ? .noMemory : .failed
    self.status = Int(status.rawValue)
  }

  /// The reason in a few words.
  public var description: String {
    switch code {
    case .tooLarge: "a picture has at most 4096 pixels in each direction"
    case .noMemory: "there is not enough memory for the picture"
    default: unsafe String(cString: cairo_status_to_string(cairo_status_t(rawValue: UInt32(status))))
    }
  }
}
