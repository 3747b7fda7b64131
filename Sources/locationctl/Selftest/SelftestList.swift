package import Diagnosis
import TrackFormats

/// The output of `locationctl selftest`: a list for people, one JSON object per line for scripts.
package enum SelftestList {
  package static func jsonLines(_ checks: [SelfTestCheck]) -> [UInt8] { checks.flatMap { object($0).line } }

  static func object(_ check: SelfTestCheck) -> JSONObject {
    var object = JSONObject()
    object.add("check", .text(check.id.rawValue))
    object.add("outcome", .text(check.outcome.rawValue))
    object.add("sentence", .text(check.sentence))
    for figure in check.figures {
      object.add(figure.name.rawValue, .number(figure.value, decimals: figure.name.decimals))
    }
    if !check.findings.isEmpty { object.add("findings", .list(check.findings.map(\.rawValue))) }
    return object
  }

  package static func text(_ checks: [SelfTestCheck], _ look: Presentation = .ofFixes) -> [UInt8] {
    let rows = checks.map { check in
      ("\(check.outcome.mark) \(check.id.title)", StyledText(TerminalText.sanitized(check.sentence, limit: 1000)))
    }
    return TextTable.bytes(TextFormat.labeled(rows, look, width: 17, role: .plain), look)
      + TextTable.sentences(summary(checks), look)
  }

  private static func summary(_ checks: [SelfTestCheck]) -> String {
    SelfTestOutcome.allCases.compactMap { outcome in
      let count = checks.count { $0.outcome == outcome }
      return count == 0 ? nil : "\(count) \(outcome.text(count))"
    }.joined(separator: ", ") + "."
  }
}

extension SelfTestOutcome {
  fileprivate var mark: String {
    switch self {
    case .passed: "✓"
    case .warning: "!"
    case .failed: "✗"
    case .skipped: "–"
    }
  }

  fileprivate func text(_ count: Int) -> String {
    switch self {
    case .passed: "passed"
    case .warning: count == 1 ? "warning" : "warnings"
    case .failed: "failed"
    case .skipped: "skipped"
    }
  }
}

extension SelfTestCheckID {
  fileprivate var title: String {
    switch self {
    case .machine: "machine"
    case .receiver: "receiver"
    case .firstFix: "first fix"
    case .updates: "updates"
    case .radius: "radius"
    case .clock: "clock"
    case .settings: "settings"
    case .secondStart: "second start"
    case .replug: "replug"
    case .cpu: "CPU"
    case .memory: "memory"
    case .temperature: "temperature"
    case .cardWrites: "card writes"
    case .wifi: "Wi-Fi"
    case .bluetooth: "Bluetooth"
    case .pps: "PPS"
    }
  }
}
