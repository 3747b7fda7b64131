package import LocationIPC

/// Why no receiver has listed satellites, and what to do about it: the end of a sentence.
package enum SkyCause {
  /// - Parameters:
  ///   - report: the last report; `nil`: there was none.
  ///   - progress: what the request waited for last.
  package static func text(_ report: SkyReport?, _ progress: LocationProgress?) -> String {
    if let report {
      let path = TerminalText.sanitized(report.device)
      return report.satellites == nil
        ? "the receiver on \(path) sends no list of satellites (NMEA: GSV); switch that message on in the receiver"
        : "the receiver on \(path) receives none; check its antenna, and move it to a place with a free view of the sky"
    }
    switch progress {
    case .waitingForSource:
      return "no receiver is attached; plug one in, or list the ports with 'locationctl devices'"
    case .waitingForPort(let path):
      return "another program uses \(TerminalText.sanitized(path)); stop it, or see 'locationctl doctor'"
    case .listening(let path, _):
      return
        "\(TerminalText.sanitized(path)) sent no GNSS data; check the power, the cable and the baud rate with "
        + "'locationctl doctor'"
    case .searching(let path, _, _):
      return
        "the receiver on \(TerminalText.sanitized(path)) sends data, but no list of satellites; wait longer, or see "
        + "'locationctl doctor'"
    case .converging, nil: return "see why with 'locationctl doctor'"
    }
  }
}
