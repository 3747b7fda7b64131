import LinuxIO
import MapDrawing
import MapSnapshot
import MapTiles
import TerminalPicture

/// A picture on the terminal of standard output.
struct TerminalOutput {
  private let kind: TerminalPicture.Graphics
  private static let descriptor: Int32 = 1
  /// The greatest size, characters: more would only be slow.
  private static let most = (columns: 200, rows: 60)

  init(_ kind: TerminalPicture.Graphics) { self.kind = kind }

  /// What the terminal is known to have by its name: kitty's protocol in kitty, WezTerm and Ghostty, sixels in foot, mlterm and contour.
  static var best: TerminalPicture.Graphics {
    guard Terminal.isTerminal(descriptor) else { return .symbols }
    let term = ProcessEnvironment.value("TERM") ?? ""
    let program = ProcessEnvironment.value("TERM_PROGRAM") ?? ""
    // A multiplexer passes neither.
    if ProcessEnvironment.value("TMUX") != nil || term.hasPrefix("screen") { return .symbols }
    if term == "xterm-kitty" || term == "xterm-ghostty" || ["WezTerm", "ghostty"].contains(program) { return .kitty }
    if ["foot", "mlterm", "contour", "yaft"].contains(where: { term.hasPrefix($0) }) { return .sixel }
    return .symbols
  }

  private static var colors: TerminalPicture.Colors {
    let depth = ProcessEnvironment.value("COLORTERM") ?? ""
    if depth == "truecolor" || depth == "24bit" || !Terminal.isTerminal(descriptor) { return .all }
    let term = ProcessEnvironment.value("TERM") ?? ""
    return term.hasSuffix("256color") || term.hasSuffix("direct") ? .indexed256 : .indexed16
  }

  func show(
    _ options: SnapshotOptions, _ data: SnapshotData?, _ overlays: [OverlayFile], _ tiles: [any TileFile]
  ) throws(MapPictureError) -> ExitStatus {
    let size = Terminal.size(Self.descriptor) ?? (80, 24)
    let columns = min(max(size.columns, 20), Self.most.columns)
    // The prompt and the lines below the picture need room.
    let rows = min(max(size.rows - 5, 8), Self.most.rows, columns / 2)
    // A cell has two by two halves; four times as many pixels make its colors smooth.
    let cell = kind == .symbols ? (width: 4, height: 8) : TerminalPicture.cell(Self.descriptor) ?? (8, 16)
    var scene = SnapshotScene(options, tiles, width: columns * cell.width, height: rows * cell.height)
    if kind == .symbols { scene.leaveOutText() }
    scene.fill(data, overlays)
    let pixels = try MapPicture(scene.scene).pixels()
    guard
      let output = TerminalPicture.bytes(
        of: pixels.bytes, width: pixels.width, height: pixels.height, columns: columns, rows: rows, cell: cell,
        as: kind, Self.colors)
    else { throw MapPictureError.noMemory }
    return SnapshotProgram.print(output + Array(("\n" + text(scene.scene)).utf8))
  }

  /// What the legend of the picture would say.
  private func text(_ scene: MapScene) -> String {
    guard kind == .symbols else { return "" }
    let projection = scene.projection
    let middle = projection.coordinate(of: MapPoint(x: projection.width / 2, y: projection.height / 2))
    let width = projection.metersPerPixel(atLatitude: middle.latitude) * projection.width
    let lines =
      [scene.legend?.title].compactMap(\.self).map { MapText.sanitized($0) } + (scene.legend?.lines ?? [])
      + ["\(scene.units.text(meters: width)) wide · \(scene.attributions.joined(separator: ", "))"]
    return lines.map { $0 + "\n" }.joined()
  }
}
