import Geodesy
import MapDrawing
import TerminalPicture

/// What `locationctl` asks of this program for a picture. `locationctl` has checked its user's words; this program checks its own.
struct SnapshotOptions {
  enum Output {
    /// The format follows from the suffix.
    case file(String)
    /// A PNG on standard output.
    case standardOutput
    /// `nil`: the best that the terminal is known to have.
    case terminal(TerminalPicture.Graphics?)
  }

  var output: Output
  var logs: [String] = []
  var from: GNSSTime?
  var to: GNSSTime?
  var showsRegions = false
  var showsPosition = false
  var overlays: [String] = []
  /// Files of tiles; empty: those of imported places.
  var tiles: [String] = []
  /// The title of the legend; `nil`: the names of what is shown.
  var title: String?
  var width = 512
  var height = 512
  var scale = 1
  var appearance = MapAppearance.light
  var units = MapUnits.metric
  var replaces = false

  /// More logs, or more overlays, are refused.
  private static let most = 32

  /// `nil` if the arguments are not those of a picture.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    switch (rest.popFirst(), rest.popFirst()) {
    case ("--snapshot", "-"): output = .standardOutput
    case ("--snapshot", let path?): output = .file(path)
    case ("--terminal", let word?):
      let kind = TerminalPicture.Graphics(rawValue: word)
      guard kind != nil || word == "auto" else { return nil }
      output = .terminal(kind)
    default: return nil
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--regions": showsRegions = true
      case "--here": showsPosition = true
      case "--force": replaces = true
      default:
        guard let value = rest.popFirst(), set(argument, value) else { return nil }
      }
    }
    guard logs.count <= Self.most, overlays.count <= Self.most else { return nil }
    // Without anything else, the picture shows where this machine is.
    if logs.isEmpty, overlays.isEmpty, !showsRegions { showsPosition = true }
  }

  private mutating func set(_ name: String, _ value: String) -> Bool {
    func time() -> GNSSTime? { Int64(value).map { GNSSTime(nanosecondsSince1970: $0) } }
    switch name {
    case "--log": logs.append(value)
    case "--overlay": overlays.append(value)
    case "--tiles": tiles.append(value)
    case "--title": title = value
    case "--from":
      from = time()
      return from != nil
    case "--to":
      to = time()
      return to != nil
    case "--size":
      let numbers = value.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
      guard numbers.count == 2, numbers.allSatisfy({ MapScene.possibleSizes.contains($0) }) else { return false }
      (width, height) = (numbers[0], numbers[1])
    case "--scale":
      guard let number = Int(value), (1...4).contains(number) else { return false }
      scale = number
    case "--style":
      guard let found = MapAppearance(rawValue: value) else { return false }
      appearance = found
    case "--units":
      guard let found = MapUnits(rawValue: value) else { return false }
      units = found
    default: return false
    }
    return true
  }

  /// Whether the location service is asked for anything.
  var needsService: Bool { !logs.isEmpty || showsRegions || showsPosition }
}
