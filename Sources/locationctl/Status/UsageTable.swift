import Geodesy
import LocationIPC
import LocationPolicy
import TrackFormats

/// The clients that use location now (➤, Apple's solid arrow), used it in the last 24 hours (·, Apple's gray arrow), or
/// only monitor regions (▷, Apple's hollow arrow).
enum UsageTable {
  /// One row for each client; those that use the location now come first.
  static func rows(_ usage: [UsageDescription], _ look: Presentation) -> [[StyledText]] {
    [LocationUsage.Mark.current, .recently, .fences].flatMap { mark in
      usage.filter { $0.mark == mark }.map { row($0, look) }
    }
  }

  static func object(_ usage: UsageDescription) -> JSONObject {
    var object = JSONObject()
    object.add(client: usage.user.identity)
    object.add("selfNamed", .text(usage.user.name))
    object.add("mark", .text(usage.mark.key))
    object.add("uses", .list(usage.uses.keys))
    object.add("usedFor", .number(usage.usedFor?.inSeconds, decimals: 3))
    object.add("usedAgo", .number(usage.usedAgo?.inSeconds, decimals: 3))
    return object
  }

  private static func row(_ usage: UsageDescription, _ look: Presentation) -> [StyledText] {
    let (sign, time): (StyledText, StyledText)
    switch usage.mark {
    case .current:
      (sign, time) = (
        .good(look.mark("➤", ascii: ">")), .good(usage.usedFor.map { "now, for \(StatusTable.time($0))" } ?? "now")
      )
    case .recently:
      (sign, time) = (.dim(look.mark("·", ascii: ".")), "\(usage.usedAgo.map { "\(StatusTable.time($0)) ago" } ?? "-")")
    case .fences: (sign, time) = (.dim(look.mark("▷", ascii: "}")), "monitors regions")
    }
    let name = StyledText(GrantTable.ownName(usage.user.name))
    return [sign + " \(ClientName.selector(of: usage.user.identity))", name, time, .dim(usage.uses.text)]
  }
}
