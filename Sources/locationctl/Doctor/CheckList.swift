package import Diagnosis
import Geodesy
import TrackFormats

/// The checks of `locationctl doctor`: a checklist for people, one JSON object for scripts.
package enum CheckList {
  /// `{"checks":[…]}`.
  package static func jsonLine(_ checks: [Check]) -> [UInt8] {
    var object = JSONObject()
    object.add("checks", rawValue: JSONObject.list(checks.map(Self.object)))
    return object.line
  }

  private static func object(_ check: Check) -> JSONObject {
    var object = JSONObject()
    object.add("name", .text(check.name.rawValue))
    object.add("state", .text(check.state.rawValue))
    object.add("text", .text(check.text))
    object.add("device", .text(check.device))
    return object
  }

  /// A line with a mark for each check, the remedy below each finding, and the result at the end.
  package static func text(_ checks: [Check], _ look: Presentation) -> [UInt8] {
    let devices = Set(checks.compactMap(\.device))
    var lines: [StyledText] = []
    var device: String?
    for check in checks {
      // With several receivers, each has a section of its own.
      if devices.count > 1, let next = check.device, next != device { lines += ["", .heading(next)] }
      device = check.device ?? device
      lines += self.lines(check, look)
    }
    return TextTable.bytes(lines + ["", result(checks, look)], look)
  }

  /// The columns before the texts: a mark, a space, the longest name and two spaces.
  private static let margin = 13

  private static func lines(_ check: Check, _ look: Presentation) -> [StyledText] {
    let (mark, role) = self.mark(check.state, look)
    let title = StyledText(mark, role) + StyledText(" \(check.name.rawValue)", check.state == .ok ? .plain : role)
    guard !check.findings.isEmpty else {
      return hanging(title, StyledText(ascii(check.text, look), check.state == .skipped ? .dim : .plain), look)
    }
    return check.findings.enumerated().flatMap { index, finding in
      let sentence = StyledText(TerminalText.sanitized(finding.sentence, limit: 1000))
      let remedy = StyledText.dim("\(look.arrow) ") + .heading(TerminalText.sanitized(finding.command, limit: 1000))
      return hanging(index == 0 ? title : "", sentence, look) + hanging("", remedy, look)
    }
  }

  private static func mark(_ state: Check.State, _ look: Presentation) -> (String, TextRole) {
    switch state {
    case .ok: (look.check, .good)
    case .note: (look.mark("i", ascii: "i"), .plain)
    case .degrades: ("!", .warning)
    case .stops: (look.cross, .bad)
    case .skipped: (look.mark("–", ascii: "-"), .dim)
    }
  }

  private static func hanging(_ title: StyledText, _ text: StyledText, _ look: Presentation) -> [StyledText] {
    let lines = look.width.map { TextTable.wrapped(text, within: max(20, $0 - margin)) } ?? [text]
    return lines.enumerated().map { index, line in (index == 0 ? title : "").padded(to: margin) + line }
  }

  private static func ascii(_ text: String, _ look: Presentation) -> String {
    TerminalText.sanitized(look.usesUnicode ? text : text.substituting("±", with: "+-"), limit: 1000)
  }

  private static func result(_ checks: [Check], _ look: Presentation) -> StyledText {
    let findings = checks.flatMap(\.findings).filter { $0.severity != .note }
    guard !findings.isEmpty else { return .good("No problems found.") }
    let count = "\(findings.count) problem\(findings.count == 1 ? "" : "s") found"
    let stops = findings.contains { $0.severity == .stops }
    return stops
      ? .bad("\(count): there is no position.") : .warning("\(count): there is a position, but it could be better.")
  }
}
