import Geodesy

/// A source that the user has named, and which remembered fixes belong to it.
package struct NamedSource: Hashable, Sendable {
  /// As `--source` names it, without a baud rate.
  private let text: String
  /// Names of the one port that it is; empty: the source is not a port.
  private let paths: Set<String>
  private let isWiFi: Bool

  /// - Parameter paths: names of the one port that it is, if the source is a port.
  package init(text: String, paths: Set<String> = [], isWiFi: Bool = false) {
    (self.text, self.paths, self.isWiFi) = (text, paths, isWiFi)
  }

  /// Whether this source produced a remembered fix. `source`: that of the service that produced it; `nil`: unknown.
  func produced(_ fix: PositionFix, of source: String?) -> Bool {
    if let device = fix.device, !paths.isEmpty { return paths.contains(device) }
    return source == text || isWiFi && fix.technologies == .wifi
  }
}
