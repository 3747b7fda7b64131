import ArgumentParser
import Geodesy

/// What a picture shows, and how.
struct PictureOptions: ParsableArguments {
  enum Style: String, CaseIterable, ExpressibleByArgument { case light, dark }
  enum Units: String, CaseIterable, ExpressibleByArgument { case metric, imperial, nautical }
  enum Graphics: String, CaseIterable, ExpressibleByArgument { case kitty, sixel, symbols }

  @Option(
    help: ArgumentHelp("Show the track of this log; can be given several times.", valueName: "name"),
    completion: ServiceNames.logs)
  var log: [String] = []
  @Option(
    help: ArgumentHelp("The beginning of the tracks.", valueName: "time"), transform: { try LogName.time($0, .from) })
  var from: GNSSTime?
  @Option(help: ArgumentHelp("The end of the tracks.", valueName: "time"), transform: { try LogName.time($0, .to) })
  var to: GNSSTime?
  @Flag(help: "Show your regions.")
  var regions = false
  @Flag(help: "Show the position of this machine.")
  var here = false
  @Option(
    help: ArgumentHelp(
      "Show the points, lines and areas of a GPX, KML or GeoJSON file; can be given several times.", valueName: "file"),
    completion: .file())
  var overlay: [String] = []
  @Option(help: ArgumentHelp("The size in pixels, at most 4096x4096 (default: 512x512).", valueName: "WxH"))
  var size: String?
  @Option(help: ArgumentHelp("Pixels of a PNG for each of these, 1 to 4 (default: 1).", valueName: "number"))
  var scale: Int?
  @Option(help: ArgumentHelp("light or dark (default: light).", valueName: "style"))
  var style: Style?
  @Option(help: ArgumentHelp("metric, imperial or nautical (default: metric).", valueName: "units"))
  var units: Units?
  @Option(
    help: ArgumentHelp(
      "How the terminal shows pictures: kitty, sixel or symbols (default: by its name).", valueName: "protocol"))
  var graphics: Graphics?
  @Flag(help: "Replace a picture that exists.")
  var force = false

  /// The permitted sizes, pixels.
  private static let sizes = 64...4096
  private static let mostFiles = 32

  private var isDefault: Bool {
    log.isEmpty && from == nil && to == nil && !regions && !here && overlay.isEmpty && size == nil && scale == nil
      && style == nil && units == nil && graphics == nil && !force
  }

  /// The page has controls for all of this.
  func requireNone() throws {
    guard isDefault else { throw ValidationError("These options are for pictures: add --snapshot or --terminal.") }
  }

  func check(isFile: Bool) throws {
    if let from, let to, from > to { throw ValidationError("--from is later than --to: swap them.") }
    if from != nil || to != nil, log.isEmpty { throw ValidationError("--from and --to require --log.") }
    guard log.count <= Self.mostFiles, overlay.count <= Self.mostFiles else {
      throw ValidationError("Use at most \(Self.mostFiles) logs and \(Self.mostFiles) files.")
    }
    guard isFile else {
      guard size == nil, scale == nil, !force else {
        throw ValidationError("--size, --scale and --force are for --snapshot.")
      }
      return
    }
    guard graphics == nil else { throw ValidationError("--graphics is for --terminal.") }
    if let scale, !(1...4).contains(scale) { throw ValidationError("Use a scale from 1 to 4.") }
    let numbers = (size ?? "512x512").split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, numbers.allSatisfy({ $0.map(Self.sizes.contains) ?? false }) else {
      throw ValidationError("Use a size from 64x64 to 4096x4096, such as 800x600.")
    }
    guard numbers.allSatisfy({ ($0 ?? 0) * (scale ?? 1) <= Self.sizes.upperBound }) else {
      throw ValidationError("A picture has at most 4096 pixels in each direction: use a smaller --size or --scale.")
    }
  }

  /// For `locationctl-map`.
  var arguments: [String] {
    var words: [String] = []
    func add(_ name: String, _ value: String?) { if let value { words += [name, value] } }
    for name in log { add("--log", name) }
    for path in overlay { add("--overlay", path) }
    add("--from", from.map { "\($0.nanosecondsSince1970)" })
    add("--to", to.map { "\($0.nanosecondsSince1970)" })
    add("--size", size)
    add("--scale", scale.map { "\($0)" })
    add("--style", style?.rawValue)
    add("--units", units?.rawValue)
    return words + (regions ? ["--regions"] : []) + (here ? ["--here"] : []) + (force ? ["--force"] : [])
  }
}
