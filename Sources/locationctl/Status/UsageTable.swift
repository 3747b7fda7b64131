import Geodesy
import LocationIPC
import LocationPolicy
import TrackFormats

/// The clients that use location now (➤, Apple's solid arrow), used it in the last 24 hours (·, Apple's gray arrow), or
/// only monitor regions (▷, Apple's hollow arrow).
enum UsageTable {
  /// One section for each kind of mark in use; empty if there is none.
  static func text(_ usage: [UsageDescription]) -> [UInt8] {
    let sections: [(LocationUsage.Mark, String)] = [
      (.current, "Use the location now:"), (.recently, "Used the location in the last 24 hours:"),
      (.fences, "Only monitor regions:"),
    ]
    return sections.flatMap { mark, title -> [UInt8] in
      let rows = usage.filter { $0.mark == mark }.map(row)
      return rows.isEmpty ? [] : Array("\n\(title)\n".utf8) + TextTable.aligned(rows)
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

  private static func row(_ usage: UsageDescription) -> [String] {
    let sign =
      switch usage.mark {
      case .current: "➤"
      case .recently: "·"
      case .fences: "▷"
      }
    let time: String
    if let usedFor = usage.usedFor {
      time = "for \(StatusTable.time(usedFor))"
    } else {
      time = usage.usedAgo.map { "\(StatusTable.time($0)) ago" } ?? "-"
    }
    let uses = usage.uses.isEmpty ? "none" : usage.uses.text
    return [sign, ClientName.selector(of: usage.user.identity), GrantTable.ownName(usage.user.name), time, uses]
  }
}
