package import Diagnosis
import TrackFormats

/// The output of `locationctl doctor`: a short list for people, one JSON object per line for scripts.
package enum FindingList {
  /// One JSON object per line; empty if there are no findings.
  package static func jsonLines(_ findings: [Finding]) -> [UInt8] {
    findings.flatMap { finding in
      var object = JSONObject()
      object.add("finding", .text(finding.code.rawValue))
      object.add("severity", .text(finding.severity.rawValue))
      object.add("sentence", .text(finding.sentence))
      object.add("command", .text(finding.command))
      object.add("device", .text(finding.device))
      return object.line
    }
  }

  /// A sentence per finding with the remedy below it; a single line if everything is in order.
  package static func text(_ findings: [Finding], receivers: [ReceiverFacts]) -> [UInt8] {
    var lines: [String] = []
    if !findings.contains(where: { $0.severity != .note }) {
      let well = receivers.filter { facts in !findings.contains { $0.device == facts.device && $0.code != .simulated } }
      let names = well.map { TerminalText.sanitized($0.device) }.joined(separator: ", ")
      lines.append("No problems found\(names.isEmpty ? "" : " with \(names)").")
    }
    for finding in findings {
      lines.append(TerminalText.sanitized(finding.sentence, limit: 1000))
      lines.append("    " + TerminalText.sanitized(finding.command, limit: 1000))
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }
}
