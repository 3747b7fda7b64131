package import LocationIPC

/// A receiver's satellite report as a table for people, for terminals that cannot be redrawn.
package enum SkyTable {
  /// A headline, a row for each satellite, and an empty line that separates one epoch from the next.
  package static func block(_ report: SkyReport, _ look: Presentation = .pipe) -> [UInt8] {
    let headline = SkyHeadline(report, silence: .zero).parts(isNarrow: false, look).joined(separator: "  ")
    var lines = look.width.map { TextTable.wrapped("\(headline)", within: $0) } ?? ["\(headline)"]
    if let satellites = report.satellites, !satellites.isEmpty {
      lines.append(.heading("NAME  SYSTEM   ELEVATION  AZIMUTH  C/N0  USED"))
      lines += satellites.map { StyledText(row($0), $0.isUsed == false ? .dim : .plain) }
    }
    return TextTable.bytes(lines + [""], look)
  }

  private static func row(_ satellite: SatelliteReport) -> String {
    let system = satellite.constellation.title
    let used = satellite.isUsed.map { $0 ? "yes" : "no" } ?? "-"
    let health = satellite.isHealthy == false ? "  unhealthy" : ""
    return "\(satellite.name)   \(system)\(blank(9 - system.utf8.count))"
      + [(satellite.elevationDegrees, 9), (satellite.azimuthDegrees, 7), (satellite.signalDecibelHertz, 4)]
      .map { padded($0.0, to: $0.1) }.joined(separator: "  ") + "  \(used)\(health)"
  }

  private static func padded(_ value: Int?, to width: Int) -> String {
    let text = value.map { String($0) } ?? "-"
    return blank(width - text.utf8.count) + text
  }

  private static func blank(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
