package import Diagnosis
import TrackFormats

/// The findings of `locationctl doctor` for scripts.
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
      object.add("check", .text(finding.code.check.rawValue))
      return object.line
    }
  }
}
