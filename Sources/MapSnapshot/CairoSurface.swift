internal import CCairo

/// A surface of cairo. Safe, because the pointer is valid until `deinit`, and bytes are only lent.
@safe struct CairoSurface: ~Copyable {
  let pointer: OpaquePointer
  /// What cairo has written so far; the surface of an SVG writes to it until it is finished.
  private let sink: ByteSink

  private final class ByteSink {
    var bytes: [UInt8] = []

    /// cairo's function to write, whose first parameter is a sink.
    static func write(
      _ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: UInt32
    ) -> cairo_status_t {
      guard let context = unsafe context, let bytes = unsafe bytes else { return CAIRO_STATUS_WRITE_ERROR }
      let sink = unsafe Unmanaged<ByteSink>.fromOpaque(context).takeUnretainedValue()
      unsafe sink.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
      return CAIRO_STATUS_SUCCESS
    }

    var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }
  }

  /// An image of 32 bits for each pixel.
  init(width: Int, height: Int) throws(MapPictureError) {
    let made = unsafe cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(clamping: width), Int32(clamping: height))
    try unsafe self.init(made, ByteSink())
  }

  /// An SVG.
  init(svgWidth width: Int, height: Int) throws(MapPictureError) {
    let sink = ByteSink()
    let made = unsafe cairo_svg_surface_create_for_stream(
      { unsafe ByteSink.write($0, $1, $2) }, sink.context, Double(width), Double(height))
    try unsafe self.init(made, sink)
    unsafe cairo_svg_surface_set_document_unit(pointer, CAIRO_SVG_UNIT_PX)
  }

  private init(_ made: OpaquePointer?, _ sink: ByteSink) throws(MapPictureError) {
    guard let made = unsafe made else { throw .noMemory }
    let status = unsafe cairo_surface_status(made)
    guard status == CAIRO_STATUS_SUCCESS else {
      // A surface with an error has to be destroyed, too.
      unsafe cairo_surface_destroy(made)
      throw MapPictureError(status)
    }
    unsafe pointer = made
    self.sink = sink
  }

  deinit { unsafe cairo_surface_destroy(pointer) }

  /// Completes the document; nothing can be drawn afterwards.
  consuming func svg() throws(MapPictureError) -> [UInt8] {
    unsafe cairo_surface_finish(pointer)
    try check(unsafe cairo_surface_status(pointer))
    return sink.bytes
  }

  func png() throws(MapPictureError) -> [UInt8] {
    sink.bytes = []
    try check(unsafe cairo_surface_write_to_png_stream(pointer, { unsafe ByteSink.write($0, $1, $2) }, sink.context))
    return sink.bytes
  }

  /// The rows from top to bottom: blue, green, red and alpha of each pixel, multiplied by alpha. A pixel is a number of 32 bits in the order of
  /// the machine; all machines for which this project is built begin with the lowest byte.
  func pixels() -> [UInt8] {
    unsafe cairo_surface_flush(pointer)
    guard let data = unsafe cairo_image_surface_get_data(pointer) else { return [] }
    let width = Int(unsafe cairo_image_surface_get_width(pointer))
    let height = Int(unsafe cairo_image_surface_get_height(pointer))
    let stride = Int(unsafe cairo_image_surface_get_stride(pointer))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * width * height)
    for row in 0..<height {
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: data + row * stride, count: 4 * width))
    }
    return bytes
  }

  private func check(_ status: cairo_status_t) throws(MapPictureError) {
    if status != CAIRO_STATUS_SUCCESS { throw MapPictureError(status) }
  }
}
