internal import CCairo
import MapDrawing

/// Draws with cairo.
///
/// Texts use cairo's own interface for fonts and not Pango: names on a map are short, in one style and on one line, and Pango with its
/// libraries doubles the time of a small picture. Scripts that need shaping, and characters that the system's font lacks, look accordingly.
///
/// Safe, because the context lives as long as this object, and texts end with a zero byte.
@safe final class CairoCanvas: MapCanvas {
  private let context: OpaquePointer

  /// - Parameter scale: pixels of the surface for each pixel of the map.
  init(_ surface: borrowing CairoSurface, scale: Double) {
    unsafe context = cairo_create(surface.pointer)
    unsafe cairo_scale(context, scale, scale)
    unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    unsafe cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
    // The letters of a map are placed anywhere, and its scale is not that of the screen's pixels.
    let options = unsafe cairo_font_options_create()
    unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    unsafe cairo_set_font_options(context, options)
    unsafe cairo_font_options_destroy(options)
  }

  deinit { unsafe cairo_destroy(context) }

  /// Why drawing has failed; `nil`: it has not.
  var failure: MapPictureError? {
    let status = unsafe cairo_status(context)
    return status == CAIRO_STATUS_SUCCESS ? nil : MapPictureError(status)
  }

  func fill(_ path: MapPath, _ color: MapColor) {
    trace(path)
    set(color)
    unsafe cairo_fill(context)
  }

  func stroke(_ path: MapPath, _ stroke: MapStroke) {
    trace(path)
    set(stroke.color)
    unsafe cairo_set_line_width(context, stroke.width)
    unsafe stroke.dashes.withUnsafeBufferPointer {
      unsafe cairo_set_dash(context, $0.baseAddress, Int32(clamping: $0.count), 0)
    }
    // The round ends of dashes would close their gaps.
    unsafe cairo_set_line_cap(context, stroke.dashes.isEmpty ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT)
    unsafe cairo_stroke(context)
  }

  func draw(_ text: MapText, at point: MapPoint) {
    select(text)
    if let halo = text.halo {
      unsafe cairo_move_to(context, point.x, point.y)
      unsafe cairo_text_path(context, text.string)
      set(halo)
      unsafe cairo_set_dash(context, nil, 0, 0)
      unsafe cairo_set_line_width(context, text.size / 4)
      unsafe cairo_stroke(context)
    }
    unsafe cairo_move_to(context, point.x, point.y)
    set(text.color)
    unsafe cairo_show_text(context, text.string)
    unsafe cairo_new_path(context)
  }

  func size(of text: MapText) -> MapTextSize {
    select(text)
    var (extents, font) = (cairo_text_extents_t(), cairo_font_extents_t())
    unsafe cairo_text_extents(context, text.string, &extents)
    unsafe cairo_font_extents(context, &font)
    return MapTextSize(width: extents.x_advance, ascent: font.ascent, descent: font.descent)
  }

  private func select(_ text: MapText) {
    let weight = text.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL
    unsafe cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, weight)
    unsafe cairo_set_font_size(context, text.size)
  }

  private func set(_ color: MapColor) {
    unsafe cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
  }

  private func trace(_ path: MapPath) {
    unsafe cairo_new_path(context)
    for part in path.parts {
      switch part {
      case .line(let points): trace(points)
      case .ring(let points):
        trace(points)
        unsafe cairo_close_path(context)
      case .circle(let center, let radius):
        unsafe cairo_new_sub_path(context)
        unsafe cairo_arc(context, center.x, center.y, radius, 0, 2 * .pi)
        unsafe cairo_close_path(context)
      }
    }
  }

  private func trace(_ points: [MapPoint]) {
    unsafe cairo_new_sub_path(context)
    guard let first = points.first else { return }
    unsafe cairo_move_to(context, first.x, first.y)
    // A line with one point is a dot.
    if points.count == 1 { unsafe cairo_line_to(context, first.x, first.y) }
    for point in points.dropFirst() { unsafe cairo_line_to(context, point.x, point.y) }
  }
}
