import Geodesy
package import LocationIPC
import TrackFormats

/// The lines above the satellites: the fix, the number of satellites that it uses, their geometry, and the receiver's
/// name. All ASCII.
package struct SkyHeadline: Sendable {
  /// A receiver that has sent no report for this long counts as silent; receivers report every second or every other
  /// second.
  private static let timeout: Duration = .seconds(3)

  private let report: SkyReport
  private let silence: Duration

  /// - Parameter silence: the time since the report was received.
  package init(_ report: SkyReport, silence: Duration) {
    self.report = report
    self.silence = silence
  }

  /// The parts, the most important first.
  package func parts(isNarrow: Bool, _ look: Presentation) -> [String] {
    var parts: [String] = []
    if silence >= Self.timeout { parts.append("silent for \(silence.components.seconds) s") }
    parts += [fix, satellites(isNarrow)]
    if report.satellites != nil, report.listAge >= .seconds(1) {
      parts.append("listed \(report.listAge.components.seconds) s ago")
    }
    for (name, value) in [("HDOP", report.hdop), ("VDOP", report.vdop), ("PDOP", report.pdop)] {
      if let text = value.flatMap({ FixedDecimal.text($0, decimals: 1) }) { parts.append("\(name) \(text)") }
    }
    if report.isSimulated { parts.append("simulated") }
    parts.append(Self.printable(report.device))
    if let time = report.time.flatMap({ TimeText.seconds($0, look) }) { parts.append(time) }
    return parts
  }

  private var fix: String {
    switch report.fix {
    case nil: "no fix"
    case .estimated?: "estimated"
    case .twoDimensional?: "2D fix"
    case .threeDimensional?: "3D fix"
    case .differential?: "DGNSS fix"
    case .rtkFloat?: "RTK float"
    case .rtkFixed?: "RTK fixed"
    }
  }

  private func satellites(_ isNarrow: Bool) -> String {
    let inView = report.satellites?.count
    switch (report.satellitesUsed, inView) {
    case (let used?, let inView?): return isNarrow ? "\(used)/\(inView) used" : "\(used) of \(inView) satellites used"
    case (nil, let inView?): return "\(inView) satellite\(inView == 1 ? "" : "s") in view"
    case (let used?, nil): return "\(used) used, no list"
    case (nil, nil): return "no satellites listed"
    }
  }

  /// The end of a device's name, which distinguishes it from others, in characters that take one column on any
  /// terminal.
  package static func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? Character($0) : "?" }
    return scalars.count <= longestName ? String(scalars) : ".." + String(scalars.suffix(longestName - 2))
  }

  private static let longestName = 40
}
