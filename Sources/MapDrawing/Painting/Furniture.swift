import Geodesy

/// What every map has at its edges: the legend, the scale and the origin of the data.
struct Furniture {
  private let scene: MapScene
  private let projection: MapProjection
  private let canvas: any MapCanvas
  private let colors: MapColors
  private let legend: LegendPainter?
  private let scale: (text: MapText, size: MapTextSize, length: Double, box: MapBox)?
  private let credits: (lines: [(text: MapText, size: MapTextSize)], box: MapBox)?

  private static let margin = 10.0
  private static let creditPadding = 3.0

  init(_ scene: MapScene, _ projection: MapProjection, _ canvas: any MapCanvas) {
    (self.scene, self.projection, self.canvas) = (scene, projection, canvas)
    colors = scene.appearance.colors
    legend = LegendPainter(scene, projection.frame, canvas)
    scale = Self.scale(scene, projection, canvas)
    credits = Self.credits(scene, projection.frame, beside: scale?.box, canvas)
  }

  /// The places that names must leave free.
  var boxes: [MapBox] { [legend?.box, scale?.box, credits?.box].compactMap(\.self) }

  func paint() {
    legend?.paint()
    if let scale {
      let bottom = scale.box.bottom - 2
      let (left, right) = (scale.box.left + 1, scale.box.left + 1 + scale.length)
      let bar = MapPath([
        .line([
          MapPoint(x: left, y: bottom - 5), MapPoint(x: left, y: bottom), MapPoint(x: right, y: bottom),
          MapPoint(x: right, y: bottom - 5),
        ])
      ])
      canvas.stroke(bar, MapStroke(colors.halo, width: 4))
      canvas.stroke(bar, MapStroke(colors.ink, width: 1.4))
      canvas.draw(
        scale.text, at: MapPoint(x: (left + right - scale.size.width) / 2, y: bottom - 5 - scale.size.descent))
    }
    if let credits {
      canvas.fill(.box(credits.box, corner: 3), colors.panel.opacity(0.7))
      var y = credits.box.top + Self.creditPadding - 1
      for line in credits.lines {
        canvas.draw(
          line.text,
          at: MapPoint(x: credits.box.right - Self.creditPadding - 1 - line.size.width, y: y + line.size.ascent))
        y += line.size.ascent + line.size.descent
      }
    }
  }

  /// The bar is at most a quarter of the picture, and has the length of the parallel through the middle.
  private static func scale(
    _ scene: MapScene, _ projection: MapProjection, _ canvas: any MapCanvas
  ) -> (text: MapText, size: MapTextSize, length: Double, box: MapBox)? {
    let frame = projection.frame
    let middle = projection.coordinate(of: MapPoint(x: frame.width / 2, y: frame.height / 2)).latitude
    let metersPerPixel = projection.metersPerPixel(atLatitude: middle)
    guard let step = scene.units.scale(upTo: metersPerPixel * min(frame.width / 4, 140)) else { return nil }
    let colors = scene.appearance.colors
    let text = MapText(step.text, size: 10, isBold: true, color: colors.ink, halo: colors.halo)
    let (size, length) = (canvas.size(of: text), step.meters / metersPerPixel)
    let bottom = frame.bottom - margin + 2
    let width = max(length, size.width) + 2
    let left = margin + max(0, size.width - length) / 2
    return (
      text, size, length,
      MapBox(left: left, top: bottom - 8 - size.ascent - size.descent, right: left + width, bottom: bottom)
    )
  }

  /// As many lines as the width beside the scale needs.
  private static func credits(
    _ scene: MapScene, _ frame: MapBox, beside scale: MapBox?, _ canvas: any MapCanvas
  ) -> (lines: [(text: MapText, size: MapTextSize)], box: MapBox)? {
    let room = frame.width - (scale?.right ?? 0) - 18 - 2 * creditPadding
    let colors = scene.appearance.colors
    func measured(_ string: String) -> (text: MapText, size: MapTextSize) {
      let text = MapText(string, size: frame.width < MapLegend.narrow ? 7 : 8.5, color: colors.soft)
      return (text, canvas.size(of: text))
    }
    var lines: [String] = []
    for part in scene.attributions.prefix(8).map({ String($0.prefix(120)) }) {
      if let last = lines.last, measured("\(last) · \(part)").size.width <= room {
        lines[lines.count - 1] = "\(last) · \(part)"
      } else {
        lines.append(part)
      }
    }
    guard !lines.isEmpty else { return nil }
    let measuredLines = lines.map { measured($0) }
    let width = measuredLines.reduce(0) { max($0, $1.size.width) } + 2 * creditPadding + 2
    let height = measuredLines.reduce(0) { $0 + $1.size.ascent + $1.size.descent } + 2 * creditPadding - 1
    return (
      measuredLines,
      MapBox(
        left: frame.right - 4 - width, top: frame.bottom - 4 - height, right: frame.right - 4, bottom: frame.bottom - 4)
    )
  }
}

/// The legend in the upper left corner.
struct LegendPainter {
  static let margin = 10.0
  static let padding = 9.0
  static let titleLine = 17.0
  static let line = 14.0
  static let ramp = 30.0
  private static let swatch = 26.0

  private let legend: MapLegend
  private let canvas: any MapCanvas
  private let colors: MapColors
  private let isNarrow: Bool
  let box: MapBox

  /// `nil` if there is no legend.
  init?(_ scene: MapScene, _ frame: MapBox, _ canvas: any MapCanvas) {
    guard let legend = scene.legend, !legend.isEmpty else { return nil }
    (self.legend, self.canvas) = (legend, canvas)
    colors = scene.appearance.colors
    isNarrow = frame.width < MapLegend.narrow
    var width = 0.0
    for text in Self.texts(legend, colors, isNarrow) { width = max(width, canvas.size(of: text).width) }
    if !legend.ramp.isEmpty, !isNarrow {
      var row = Double(legend.ramp.count) * Self.swatch
      if let title = legend.rampTitle { row += canvas.size(of: Self.unit(title, colors)).width + 6 }
      width = max(width, row)
    }
    if legend.hasDoubtful { width = max(width, canvas.size(of: Self.doubtful(colors)).width + 14) }
    width = min(width + 2 * Self.padding, frame.width - 2 * Self.margin)
    box = MapBox(
      left: Self.margin, top: Self.margin, right: Self.margin + width, bottom: legend.height(isNarrow: isNarrow))
  }

  private static func texts(_ legend: MapLegend, _ colors: MapColors, _ isNarrow: Bool) -> [MapText] {
    [legend.title].compactMap(\.self).map { heading($0, colors) }
      + (isNarrow ? [] : legend.lines.map { small($0, colors) })
  }

  private static func unit(_ string: String, _ colors: MapColors) -> MapText {
    MapText(string, size: 9, color: colors.soft)
  }

  private static func heading(_ string: String, _ colors: MapColors) -> MapText {
    MapText(MapText.sanitized(string), size: 12.5, isBold: true, color: colors.ink)
  }

  private static func small(_ string: String, _ colors: MapColors) -> MapText {
    MapText(string, size: 10.5, color: colors.soft)
  }

  private static func doubtful(_ colors: MapColors) -> MapText { small("doubtful position", colors) }

  func paint() {
    let frame = MapPath.box(box, corner: 6)
    canvas.fill(frame, colors.panel)
    canvas.stroke(frame, MapStroke(colors.panelEdge, width: 1))
    let left = box.left + Self.padding
    var y = box.top + Self.padding - 2
    func draw(_ text: MapText, _ height: Double, at x: Double) {
      canvas.draw(text, at: MapPoint(x: x, y: y + height - 4))
      y += height
    }
    if let title = legend.title { draw(Self.heading(title, colors), Self.titleLine, at: left) }
    for line in isNarrow ? [] : legend.lines { draw(Self.small(line, colors), Self.line, at: left) }
    if !legend.ramp.isEmpty, !isNarrow { paintRamp(left, &y) }
    if legend.hasDoubtful {
      y += 2
      let ring = MapPath([.circle(MapPoint(x: left + 4.5, y: y + 6.5), radius: 3.6)])
      canvas.stroke(ring, MapStroke(colors.suspect, width: 1.8))
      draw(Self.doubtful(colors), Self.line, at: left + 14)
    }
  }

  private func paintRamp(_ left: Double, _ y: inout Double) {
    let top = y + 6
    for (index, step) in legend.ramp.enumerated() {
      let x = left + Double(index) * Self.swatch
      canvas.fill(
        MapPath([
          .ring([
            MapPoint(x: x, y: top), MapPoint(x: x + Self.swatch + 0.3, y: top),
            MapPoint(x: x + Self.swatch + 0.3, y: top + 7), MapPoint(x: x, y: top + 7),
          ])
        ]), step.color)
      guard !step.label.isEmpty else { continue }
      canvas.draw(
        MapText(step.label, size: 9, color: colors.soft), at: MapPoint(x: x, y: top + 18))
    }
    if let title = legend.rampTitle {
      canvas.draw(
        Self.unit(title, colors),
        at: MapPoint(x: left + Double(legend.ramp.count) * Self.swatch + 6, y: top + 7))
    }
    y += Self.ramp
  }
}
