package import FleetDestinations
import Geodesy

/// What a destination remembers besides its settings, its outbox and its cursor, as text: one value per line.
package struct FleetMemory: Hashable, Sendable {
  /// Random; identifies the outbox in the identifiers of events.
  package var box: UInt32
  /// The machine for which `box` was made: a copy on another machine gets another one.
  package var machine: String
  package var pause = FleetPause.none
  package var lost: FleetLoss?
  package var setAside = 0
  /// Whether the destination ends when its outbox is empty.
  package var isEnding = false
  /// Whether the broker has accepted MQTT 5: a connection that breaks does not make this side use a version that reports no refusals.
  package var hasVersion5 = false

  package init(box: UInt32, machine: String) { (self.box, self.machine) = (box, machine) }

  package var text: String {
    var lines = ["box \(box)", "machine \(machine)"]
    switch pause {
    case .none: break
    case .indefinitely: lines.append("pause always")
    case .until(let end): lines.append("pause \(end.nanosecondsSince1970)")
    }
    if let lost {
      lines.append("lost \(lost.count) \(lost.from.nanosecondsSince1970) \(lost.to.nanosecondsSince1970)")
    }
    if setAside > 0 { lines.append("set-aside \(setAside)") }
    if isEnding { lines.append("ending") }
    if hasVersion5 { lines.append("mqtt5") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// `nil`: not such a text. Lines of later versions are skipped.
  package init?(_ text: String) {
    guard text.utf8.count <= 4096 else { return nil }
    var (box, machine): (UInt32?, String?) = (nil, nil)
    var rest = FleetMemory(box: 0, machine: "")
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      switch (words.first, words.count) {
      case ("box", 2): box = UInt32(words[1])
      case ("machine", 2): machine = String(words[1])
      case ("machine", 1): machine = ""
      case ("pause", 2):
        if words[1] == "always" { rest.pause = .indefinitely }
        if let end = Int64(words[1]) { rest.pause = .until(GNSSTime(nanosecondsSince1970: end)) }
      case ("lost", 4):
        guard let count = Int(words[1]), count > 0, let from = Int64(words[2]), let to = Int64(words[3]) else {
          return nil
        }
        rest.lost = FleetLoss(
          count: count, from: GNSSTime(nanosecondsSince1970: from), to: GNSSTime(nanosecondsSince1970: to))
      case ("set-aside", 2): rest.setAside = max(0, Int(words[1]) ?? 0)
      case ("ending", 1): rest.isEnding = true
      case ("mqtt5", 1): rest.hasVersion5 = true
      default: break
      }
    }
    guard let box, let machine else { return nil }
    self = rest
    (self.box, self.machine) = (box, machine)
  }
}
