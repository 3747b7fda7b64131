package import LocationIPC
import TrackFormats

/// The progress shown while a person waits: one line that fits a terminal of 80 columns.
package enum ProgressLine {
  /// - Parameter strongest: the strongest signal, dB-Hz, while a receiver searches for its first fix.
  package static func text(
    _ progress: LocationProgress?, elapsed: Duration, strongest: Int? = nil, note: String = ""
  ) -> String {
    let state = progress.map { stage($0, isShort: strongest != nil) } ?? "starting"
    let signal =
      if case .searching? = progress, let strongest { ", strongest \(strongest) dB-Hz; usually 30 s" } else { "" }
    return String(
      "\(max(0, elapsed.components.seconds)) s: \(note.isEmpty ? "" : "\(note), ")\(state)\(signal)".prefix(79))
  }

  /// What the command is waiting for.
  ///
  /// - Parameter isShort: whether the line has to leave room for the strongest signal.
  static func stage(_ progress: LocationProgress, isShort: Bool = false) -> String {
    switch progress {
    case .waitingForSource: "waiting for a receiver to be plugged in"
    case .waitingForPort(let path): "waiting for \(short(path)), which another process uses"
    case .listening(let path, let baud): "listening on \(short(path))\(baud.map { " at \($0) baud" } ?? "")"
    case .searching(let path, let inView, let used): searching(path, inView, used, isShort: isShort)
    case .converging(let radius): "fix within \(FixedDecimal.text(radius, decimals: 1) ?? "?") m, still improving"
    }
  }

  /// What the command is waiting for as a sentence, without the numbers that change.
  package static func announcement(_ progress: LocationProgress) -> String {
    switch progress {
    case .waitingForSource: "Waiting for a receiver to be plugged in."
    case .waitingForPort(let path): "Waiting for \(short(path)), which another process uses."
    case .listening(let path, _): "Listening on \(short(path))."
    case .searching(let path, _, _): "No fix yet from \(short(path))."
    case .converging: "There is a fix; waiting for better accuracy."
    }
  }

  /// The line while the client waits for authorization, before the search for a source begins.
  package static func asking(_ elapsed: Duration) -> String {
    "\(max(0, elapsed.components.seconds)) s: waiting for somebody to give you access to the location"
  }

  private static func searching(_ path: String, _ inView: Int?, _ used: Int?, isShort: Bool) -> String {
    let path = isShort ? String(TerminalText.sanitized(path).suffix(14)) : short(path)
    guard let inView else { return "no fix yet from \(path)" }
    guard !isShort else { return "no fix yet from \(path), \(inView) in view" }
    let satellites = "\(inView) satellite\(inView == 1 ? "" : "s") in view"
    return "no fix yet from \(path), \(satellites)\(used.map { ", \($0) used" } ?? "")"
  }

  private static func short(_ path: String) -> String { String(TerminalText.sanitized(path).suffix(30)) }
}
