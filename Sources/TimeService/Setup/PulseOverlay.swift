/// The line of a Raspberry Pi's `config.txt` that makes a pulse at a pin a PPS device (Raspberry Pi firmware, overlays/README,
/// `pps-gpio`).
package struct PulseOverlay: Hashable, Sendable {
  /// The number of the GPIO, 0…27: the pins of the header.
  package let gpio: Int
  /// Whether the second is the falling edge.
  package var isFallingEdge = false

  /// The pin that most boards with a receiver use, and the overlay's default.
  package static let usualGPIO = 18

  /// `nil` if the header has no such pin.
  package init?(gpio: Int = Self.usualGPIO) {
    guard (0...27).contains(gpio) else { return nil }
    self.gpio = gpio
  }

  package var line: String { "dtoverlay=pps-gpio,gpiopin=\(gpio)" + (isFallingEdge ? ",assert_falling_edge" : "") }

  /// What `config.txt` contains about the overlay.
  package enum Finding: Hashable, Sendable {
    case missing
    case present(line: Int)
    /// The overlay is there with another pin or edge.
    case different(line: Int, text: String)
    /// The overlay is in a section for another model.
    case conditional(line: Int, section: String)
  }

  /// Checks the text of a `config.txt`.
  package func check(_ text: String) -> Finding {
    var section = "all"
    var found = Finding.missing
    for (index, rest) in ChronyConfiguration.lines(of: text).enumerated() {
      let line = rest.filter { $0 != " " && $0 != "\t" }
      if line.hasPrefix("["), line.hasSuffix("]") { section = String(line.dropFirst().dropLast()) }
      let settings = line.split(separator: ",")
      guard let first = settings.first, first == "dtoverlay=pps-gpio" else { continue }
      let pin = settings.compactMap { $0.hasPrefix("gpiopin=") ? Int($0.dropFirst(8)) : nil }.last ?? Self.usualGPIO
      let isFalling = settings.contains { $0 == "assert_falling_edge" || $0 == "assert_falling_edge=on" }
      guard pin == gpio, isFalling == isFallingEdge else {
        found = .different(line: index + 1, text: line)
        continue
      }
      if section == "all" { return .present(line: index + 1) }
      found = .conditional(line: index + 1, section: section)
    }
    return found
  }
}
