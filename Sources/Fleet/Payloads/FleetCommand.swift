package import FleetDestinations
import TrackFormats

/// A command from a server (https://owntracks.org/booklet/tech/json/#_typecmd). Everything else that a server sends is ignored,
/// `setConfiguration` and `setWaypoints` above all.
package enum FleetCommand: Hashable, Sendable {
  case reportLocation
  case status

  /// Reads one object; `nil`: no command, or one that is not allowed.
  package init?(_ bytes: [UInt8], allowed: FleetCommands) {
    guard bytes.count <= FleetHelperMessage.longestCommand else { return nil }
    var members: [String: String] = [:]
    var key: String?
    var tokens = JSONTokenizer()
    var offset = 0
    do throws(JSONProblem) {
      while let token = try tokens.next(in: bytes.span, at: &offset) {
        switch token {
        case .key(let name): key = tokens.depth == 1 ? name : nil
        case .text(let text):
          if let name = key, tokens.depth == 1, name == "_type" || name == "action" {
            // A repeated key could hide a command from a filter on the way.
            guard members.updateValue(text, forKey: name) == nil else { return nil }
          }
          key = nil
        case .objectStart, .objectEnd, .listStart, .listEnd, .number, .flag, .null: key = nil
        }
      }
    } catch {
      return nil
    }
    guard tokens.depth == 0, members["_type"] == "cmd" else { return nil }
    switch members["action"] {
    case "reportLocation" where allowed.contains(.reports): self = .reportLocation
    case "status" where allowed.contains(.reports): self = .status
    default: return nil
    }
  }
}
